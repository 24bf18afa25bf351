"""Mutants of the information-flow check, which the fuzz must detect.

A mutant is the package `trutdsl.ir.flow` under another name, with one piece of its text replaced.
"""

import sys
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec
from pathlib import Path

import trutdsl.ir.flow as flow

FOLDER = Path(flow.__file__).parent
REAL = flow.__name__


class _Text(Loader):
    def __init__(self, text, path):
        self.text, self.path = text, path

    def create_module(self, _spec):
        return None

    def exec_module(self, module):
        exec(compile(self.text, str(self.path), "exec"), vars(module))


class _Finder:
    """Finds the modules of one mutant."""

    def __init__(self, name, texts):
        self.name, self.texts = name, texts

    def find_spec(self, name, _path=None, _target=None):
        if name == self.name:
            return ModuleSpec(name, _Text("", FOLDER), is_package=True)
        if name.startswith(self.name + "."):
            module = name.rsplit(".", 1)[1]
            return ModuleSpec(name, _Text(self.texts[module], FOLDER / f"{module}.py"))
        return None


def load_mutant(name, patches=(), folder=FOLDER):
    """Return `check_visibility` of a copy of the check with replaced pieces of text.

    patches: (module, old text, new text); the old text occurs exactly once.
    """
    alias = f"mutant_{name}"
    texts = {p.stem: p.read_text(encoding="utf-8") for p in folder.glob("*.py")}
    for module, old, new in patches:
        if texts[module].count(old) != 1:
            raise LookupError(f"{name}: {texts[module].count(old)} times in {module}: {old}")
        texts[module] = texts[module].replace(old, new)
    texts = {module: text.replace(REAL, alias) for module, text in texts.items()}
    finder = _Finder(alias, texts)
    sys.meta_path.insert(0, finder)
    try:
        spec = finder.find_spec(f"{alias}.check")
        for loaded in [m for m in sys.modules if m.startswith(alias)]:
            del sys.modules[loaded]
        module = module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        return module.check_visibility
    finally:
        sys.meta_path.remove(finder)
