"""Variant files: YAML with positions, the declarations of a file, and the merged variant.

`load_variant` is the entry point: text (`read_source`), nodes (`read_document` of `compose_yaml`),
one file as declared (`Manifest`), all its layers merged (`Variant`). Other YAML files, such as
scenarios, use the same nodes and the typed readers of `read_values`.
"""

from trutdsl.variant.load import (
    Library,
    is_module,
    list_variants,
    load_file,
    load_variant,
    shipped_library,
)
from trutdsl.variant.manifest import Counter
from trutdsl.variant.model import Layer, Variant
from trutdsl.variant.pack import Pack
from trutdsl.variant.parameters import BadParameter, Parameter, Value
from trutdsl.variant.source import read_source
from trutdsl.variant.words import Words, words_of
from trutdsl.variant.yaml_nodes import Node, Scalar, Sequence, YamlMapping

__all__ = [
    "BadParameter",
    "Counter",
    "Layer",
    "Library",
    "Node",
    "Pack",
    "Parameter",
    "Scalar",
    "Sequence",
    "Value",
    "Variant",
    "Words",
    "YamlMapping",
    "is_module",
    "list_variants",
    "load_file",
    "load_variant",
    "read_source",
    "shipped_library",
    "words_of",
]
