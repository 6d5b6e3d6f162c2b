"""kb's ranking instead of Material's: a worker that answers the messages of Material's search dialog."""

from __future__ import annotations

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import get_plugin_logger
from mkdocs.structure.files import File, Files

WORKER = re.compile(r"assets/javascripts/workers/search\.\w+\.min\.js")
RANKING = ("asked.js", "rank.js", "worker.js")
THEIRS = "assets/kb/worker-of-the-theme.js"
WORDS = {
    '"No matching documents"': '"No answers"',
    '"1 matching document"': '"1 answer"',
    '"# matching documents"': '"# answers"',
}
"""The words for results on kb's pages, by the English words of Material's dialog."""
log = get_plugin_logger("kb")


def put_worker(files: Files, config: MkDocsConfig, assets: Path) -> None:
    """Replace Material's worker by the one with kb's ranking; the original stays available for the site's own pages."""
    theirs = next((file for file in files if WORKER.fullmatch(file.src_uri)), None)
    if theirs is None or theirs.abs_src_path is None:
        log.warning("This version of Material has no search worker in the expected place, so its own search is used.")
        return
    source = Path(theirs.abs_src_path).read_text(encoding="utf-8")
    settings = f"self.window = self;\nconst kbDirectory = {str(config.use_directory_urls).lower()};\n"
    text = settings + "".join((assets / name).read_text(encoding="utf-8") for name in RANKING)
    files.remove(theirs)
    files.append(File.generated(config, theirs.src_uri, content=text))
    wrapped = f"self.kbOfTheTheme = (addEventListener, postMessage) => {{{source}\n}};"
    files.append(File.generated(config, THEIRS, content=wrapped))
    for name in RANKING:
        if script := files.get_file_from_path(f"assets/kb/{name}"):
            files.remove(script)


def in_own_words(output: str) -> str:
    """Return a page whose search dialog counts answers."""
    for theirs, ours in WORDS.items():
        output = output.replace(theirs, ours, 1)
    return output


def write_index_script(site: Path) -> None:
    """Write Material's search index of the site's own pages also as a script: on disk, without a server, a page can
    read no JSON.
    """
    index = site / "search" / "search_index.json"
    if index.is_file():
        script = f"var __index = {index.read_text(encoding='utf-8')}"
        index.with_suffix(".js").write_text(script, encoding="utf-8")
