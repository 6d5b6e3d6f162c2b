"""`kb completion`: what Tab completes in bash, zsh and fish, and the page for `man`."""

from __future__ import annotations

import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from kb.cli.files import put_whole
from kb.cli.terminal import tell, tell_as_is, warn

WORD = "_complete"
BASH = f"""_kb_complete() {{
    local IFS=$'\\n'
    COMPREPLY=( $(kb {WORD} "${{COMP_WORDS[@]:1:COMP_CWORD}}" 2>/dev/null | cut -f1) )
    [[ ${{#COMPREPLY[@]}} -eq 1 && ${{COMPREPLY[0]}} == */ ]] && compopt -o nospace
    local at
    for at in "${{!COMPREPLY[@]}}"; do
        [[ ${{COMPREPLY[at]}} == *[[:space:]\\'\\"\\(\\)\\&\\!]* ]] && COMPREPLY[at]=$(printf '%q' "${{COMPREPLY[at]}}")
    done
}}
complete -o default -o nosort -F _kb_complete kb
"""
ZSH = f"""#compdef kb
_kb() {{
    local -a found names
    local line
    found=("${{(@f)$(kb {WORD} "${{(@)words[2,CURRENT]}}" 2>/dev/null)}}")
    found=(${{found:#}})
    if (( $#found )); then
        for line in $found; do names+=("${{${{line%%$'\\t'*}}//:/\\\\:}}:${{line#*$'\\t'}}"); done
        _describe -V kb names -U
    else
        _files
    fi
}}
if [[ $funcstack[1] == _kb ]]; then _kb "$@"; else compdef _kb kb; fi
"""
FISH = f"""function __kb_complete
    set -l words (commandline -opc) (commandline -ct)
    kb {WORD} $words[2..-1] 2>/dev/null
end
complete -c kb -f -a '(__kb_complete)'
complete -c kb -n 'test (count (__kb_complete)) -eq 0' -F
"""
ZSH_LINES = "fpath=(~/.zfunc $fpath)\nautoload -Uz compinit && compinit"


class Shell(StrEnum):
    """The shells that kb completes in."""

    bash = "bash"
    zsh = "zsh"
    fish = "fish"


SCRIPTS = {Shell.bash: BASH, Shell.zsh: ZSH, Shell.fish: FISH}


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("completion")(completion)
    app.command("man")(man)
    app.command(
        WORD,
        hidden=True,
        context_settings={"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []},
    )(complete)


def completion(
    shell: Annotated[
        Shell | None,
        typer.Argument(metavar="SHELL", help="bash, zsh or fish; else the one you are in.", show_default=False),
    ] = None,
    install: Annotated[
        bool, typer.Option("--install", help="Put it, and the page for man, where the shell looks for them.")
    ] = False,
) -> None:
    """Let Tab complete commands, options, ids, cards, characters, products and files; prints the script, or installs it.

    Nothing of yours is changed but the files that it names: for zsh it says which two lines your .zshrc needs.

    Examples:
        kb completion --install
        kb completion zsh
    """
    shell = shell or shell_here()
    if shell is None:
        warn("Say which shell: kb completion bash, zsh or fish.")
        raise typer.Exit(2)
    if not install:
        tell_as_is(SCRIPTS[shell])
        return
    place = script_place(shell)
    put_whole(place, SCRIPTS[shell])
    tell(f"Wrote {place}.")
    page = data_home() / "man" / "man1" / "kb.1"
    put_whole(page, page_text())
    tell(f"Wrote {page}: man kb.")
    if shell is Shell.zsh and ".zfunc" not in zshrc():
        tell("Add these lines to ~/.zshrc:\n  " + ZSH_LINES.replace("\n", "\n  "))
    tell("It works in the next shell that you open.")


def man() -> None:
    """Print the page for man, with every command and its examples: kb completion --install puts it in place.

    Examples:
        kb man > kb.1
        kb man | man -l -
    """
    tell_as_is(page_text())


def page_text() -> str:
    """The page for `man`, of all commands."""
    from kb import __version__
    from kb.cli import app, register_commands
    from kb.cli.help import man_page

    register_commands()
    return man_page(typer.main.get_command(app), "kb", __version__)


def complete(_context: typer.Context) -> None:
    """What the last of some words may become, one a line with what it is after a tab."""
    from kb.cli.candidates import candidates

    words = sys.argv[2:]  # as they were typed: Typer keeps a `--` for itself
    for name, what in candidates(words or [""]):
        sys.stdout.write(f"{name}\t{what}\n" if what else f"{name}\n")


def shell_here() -> Shell | None:
    """The shell that the user has set."""
    name = Path(os.environ.get("SHELL", "")).name
    return next((shell for shell in Shell if shell.value == name), None)


def script_place(shell: Shell) -> Path:
    """The file in which a shell looks for what completes `kb`."""
    if shell is Shell.bash:
        return data_home() / "bash-completion" / "completions" / "kb"
    if shell is Shell.zsh:
        return Path.home() / ".zfunc" / "_kb"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "fish" / "completions" / "kb.fish"


def data_home() -> Path:
    """The folder of the user's data, where bash-completion and man look."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")


def zshrc() -> str:
    """What the user's `.zshrc` says."""
    try:
        return (Path(os.environ.get("ZDOTDIR") or Path.home()) / ".zshrc").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
