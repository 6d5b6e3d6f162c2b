"""kb's ranking in Material's search dialog: a worker that answers the messages of the dialog in place of Material's own
worker.
"""

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
"""The words that count results in the search dialog: Material's own words, and their replacements on kb's pages."""
log = get_plugin_logger("kb")


def put_worker(files: Files, config: MkDocsConfig, assets: Path) -> None:
    """Replace Material's search worker with one that ranks as kb does. The original still searches the site's own
    pages.
    """
    theirs = next((file for file in files if WORKER.fullmatch(file.src_uri)), None)
    if theirs is None or theirs.abs_src_path is None:
        log.warning(
            "kb cannot find the search worker of this version of Material, so the site uses Material's own search."
        )
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
    """Change the HTML of a page so that its search dialog counts answers instead of documents."""
    for theirs, ours in WORDS.items():
        output = output.replace(theirs, ours, 1)
    return output


def write_index_script(site: Path) -> None:
    """Write a copy of Material's search index as a script, because a page in a folder on disk cannot read JSON."""
    index = site / "search" / "search_index.json"
    if index.is_file():
        script = f"var __index = {index.read_text(encoding='utf-8')}"
        index.with_suffix(".js").write_text(script, encoding="utf-8")
