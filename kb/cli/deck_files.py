"""Exit codes, input files, reports and output files for the commands on decks."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kb.cli.terminal import coloured, dim, say, strong, table_lines, tell, warn
from kb.errors import KbError
from kb.files.outputs import refuse_inputs
from kb.files.swap import write_whole
from kb.files.text import one_line
from kb.registry import games

if TYPE_CHECKING:
    from kb.campaigns.campaign import Filed
    from kb.citation import Citation
    from kb.decks.deckfile import DeckFile
    from kb.decks.games import DeckView
    from kb.decks.nodes import DeckFileError
    from kb.decks.problems import Finding
    from kb.decks.report import Located, Report


MOST_SKIPPED = 10  # skipped files of a folder that the warning names
LEGAL, FINDINGS, UNREADABLE = 0, 1, 2

Fetch = Annotated[bool, typer.Option("--fetch", help="Download decks that are given as web addresses.")]


def files_named(*arguments: str) -> list[str]:
    """Return the paths of the deck files that `arguments` name. For a folder, these are the deck files in it and in its
    subfolders. Raises DeckFileError for a folder without deck files.
    """
    from kb.decks.folder import deck_paths

    return [path for argument in arguments for path in deck_paths(argument)]


def folder_decks(folder: str) -> tuple[str, ...]:
    """Return the paths of the deck files in a folder, and name the skipped files that look like decks on standard error.
    Raises DeckFileError if the folder has no deck files.
    """
    from kb.decks.folder import folder_files

    found = folder_files(folder)
    if found.skipped:
        listed = ", ".join(map(one_line, found.skipped[:MOST_SKIPPED]))
        more = f" and {len(found.skipped) - MOST_SKIPPED:,} more" if len(found.skipped) > MOST_SKIPPED else ""
        one = len(found.skipped) == 1
        warn(
            f"Skipped {listed}{more}: no key of a deck file, such as `character:` or `investigator:`. "
            f"If {'this is a deck' if one else 'these are decks'}, check {'the file' if one else 'each file'} alone to see why."
        )
    return found.decks


def unfolded(name: str) -> Sequence[str | DeckFileError]:
    """Return the paths of the deck files in the folder `name`, or the error if it has none. For any other name, return
    that name.
    """
    from kb.decks.nodes import DeckFileError

    try:
        return folder_decks(name) if name and os.path.isdir(name) else [name]  # noqa: PTH112 (False for a name too long)
    except DeckFileError as error:
        return [error]


def fetched(files: Iterable[str], fetch: bool) -> list[str | DeckFile | DeckFileError]:
    """Return `files`, with each web address of a deck replaced by the downloaded deck, or by the error if that fails, and
    each folder by its deck files.

    Without `fetch`, nothing is downloaded: each web address is replaced by an error that names the URL that kb would
    request.
    """
    from kb.decks.nodes import DeckFileError

    decks: list[str | DeckFile | DeckFileError] = []
    for name in files:
        if os.path.exists(name) or not ("://" in name or interface_of(name)):  # noqa: PTH110 (False for a name too long)
            decks += unfolded(name)
            continue
        try:
            decks += _decks_at(name, fetch)
        except DeckFileError as error:
            decks.append(error)
    return decks


def interface_of(page: str) -> str | None:
    """Return the address of a deck in the public API of its site; `page` is the address of the deck's page. Return None
    for an unknown site.
    """
    bare = re.split("[?#]", re.sub("^https?://", "", page, flags=re.IGNORECASE))[0]
    for about in games().values():
        for pattern, template in about.addresses.items():
            if shown := re.fullmatch(f"(?i:{pattern})(?:/.*)?", bare, re.ASCII):
                return f"https://{shown.expand(template)}"
    return None


def _decks_at(page: str, fetch: bool) -> list[DeckFile]:
    """Download the decks of a page. Raises DeckFileError if there are none, or if `fetch` is False."""
    from kb.decks.deckfile import A_PAGE, refusal

    url = interface_of(page)
    if url is None:
        hosts = sorted({template.split("/")[0] for about in games().values() for template in about.addresses.values()})
        raise refusal(
            page, f"is not the address of a deck; kb can download from {' and '.join(hosts)}." if fetch else A_PAGE
        )
    if not fetch:
        host = url.split("/")[2]
        raise refusal(page, f"is a web address; kb only goes online if you add --fetch. It then asks {host} for {url}.")
    from kb.cli.fetch import decks_at

    return decks_at(page, url)


def write_new(out: Path | None, text: str, force: bool, inputs: Iterable[str | Path], quiet: bool = False) -> None:
    """Write a text to the new file `out`, or print it if `out` is None. With `force`, an existing file is overwritten.

    One of the `inputs` (files or folders) is never overwritten. With `quiet`, no message is printed, for commands whose
    standard output is JSON. The text is written to a second file and then moved into place, so a full disk leaves no
    partial file. Raises KbError or OutputError if the file cannot be written.
    """
    if out is None:
        say(text)
        return
    refuse_old(out, force, inputs)
    data = text.encode("utf-8", "backslashreplace")
    try:
        if out.is_symlink() or (out.exists() and not out.is_file()):
            out.write_bytes(data)  # the target of a link, or a device such as /dev/stdout
        else:
            write_whole(out, data)
    except (OSError, ValueError) as error:
        raise KbError(f"Cannot write {out}: {getattr(error, 'strerror', None) or error}.") from None
    if not quiet:
        tell(f"Wrote {out}.")


def refuse_old(out: Path, force: bool, inputs: Iterable[str | Path]) -> None:
    """Raise KbError if the file `out` exists and `force` is False, and OutputError if it is one of the `inputs`."""
    refuse_inputs(out, inputs)
    if not force and os.path.lexists(out):
        raise KbError(f"{out} exists. Use --force to overwrite it.")


LEVELS = {"error": "red", "warning": "magenta", "note": "cyan"}


def report_lines(
    report: Report, cites: Mapping[str, Citation], shown_rules: list[str] | None = None, verbose: bool = False
) -> Iterator[str]:
    """Yield a report as lines for people. Each rule is cited once; with `verbose`, the further rules of each finding
    are named too.

    `once` in the details of the report contains lines about the rules that the check used. `shown_rules` contains the
    lines of this kind that were printed last. If `once` equals `shown_rules`, its lines are left out. Afterwards,
    `shown_rules` contains the lines of `once`.
    """
    verdict = coloured("legal", "green") if report.legal else coloured("not legal", "red")
    findings = f" ({report.counted})" if report.findings else ""
    yield f"{strong(f'{report.file}:')} {report.character} is {verdict}{findings}."
    once = report.details.get("once", [])
    for line in [*report.details.get("lines", ()), *(once if once != shown_rules else ())]:
        yield dim(f"  {line}")
    if shown_rules is not None:
        shown_rules[:] = once
    cited: set[str] = set()
    for finding in report.findings:
        yield from finding_lines(finding, cites, cited, verbose)
    for line in report.details.get("not_checked", ()):
        yield dim(f"  Not checked: {line}")


def finding_lines(
    finding: Finding, cites: Mapping[str, Citation], cited: set[str] | None = None, verbose: bool = False
) -> Iterator[str]:
    """Yield the lines of a finding: the problem, the fix and the rule. The rule is left out if it is in `cited`;
    otherwise it is added to that set.
    """
    yield f"  {coloured(finding.severity, LEVELS[finding.severity])}  {finding.message}"
    if finding.fix:
        yield f"    Fix: {finding.fix}"
    first, *others = finding.cites
    if cited is None or first not in cited:
        yield dim(f"    Rule: {cites[first].in_words}")
    if cited is not None:
        cited.add(first)
    if others and verbose:
        yield dim(f"    See also: {', '.join(others)}")


def located_lines(file: str, findings: Iterable[Located | Filed], cites: Mapping[str, Citation]) -> Iterator[str]:
    """Yield the findings on a file that is not a deck, each with its line."""
    from kb.decks.nodes import place

    for each in findings:
        yield strong(f"{place(file, each.line)}:")
        yield from finding_lines(each.finding, cites)


def view_lines(view: DeckView) -> Iterator[str]:
    """Yield the composition of a deck as a table with aligned columns."""
    yield strong(view.heading)
    yield from table_lines([view.columns, *view.rows], 2)
