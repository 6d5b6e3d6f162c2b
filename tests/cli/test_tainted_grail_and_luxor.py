"""`kb deck` on character sheets of Tainted Grail, `kb deck advance` and `kb score luxor`: text output, JSON output and
exit codes.
"""

from tests.walks import walks

test_sheets = walks("sheets", "real")
