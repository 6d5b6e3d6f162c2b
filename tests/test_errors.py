"""All errors that kb raises for its users have one base class, so that a program can catch them."""

import importlib
import pkgutil

import kb
from kb.errors import KbError


def test_every_error_of_kb_has_one_base():
    for module in pkgutil.walk_packages(kb.__path__, "kb."):
        if module.name.endswith("__main__"):
            continue
        for name, found in vars(importlib.import_module(module.name)).items():
            if isinstance(found, type) and issubclass(found, Exception) and found.__module__ == module.name:
                assert issubclass(found, KbError) or name.startswith("_"), f"{module.name}.{name}"
