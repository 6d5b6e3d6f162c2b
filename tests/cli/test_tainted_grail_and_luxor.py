"""`kb deck` on character sheets, `kb deck advance` and `kb score luxor`: output, JSON contracts, exit codes."""

from tests.walks import walks

test_sheets = walks("sheets", "real")
