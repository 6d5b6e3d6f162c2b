"""What a worker of a Dask cluster is sent once: the rules. Imported only where Dask is installed."""

from __future__ import annotations

from typing import Any

from distributed import WorkerPlugin, get_worker

from kb.archives.judging import Judged, Rules
from kb.archives.rows import Row


class RulesPlugin(WorkerPlugin):  # type: ignore[misc]
    """Opens the rules when it comes to a worker, for all decks that follow."""

    name = "kb-rules"

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self.hash = rules.hash

    def setup(self, worker: Any) -> None:
        """Make the judge of this worker. Raises ArchiveError when kb is another one there."""
        self.judge = self._rules.judge()


def judged_by_worker(_hash: str, rows: list[Row]) -> Judged:
    """The verdicts on some rows, by the rules that the worker was sent."""
    judged: Judged = get_worker().plugins[RulesPlugin.name].judge(rows)
    return judged
