"""The rules protocols declare what the specialised kernels define."""

import importlib
import inspect
from types import FunctionType

import pytest

from souk.engine.kernel.rules_protocol import Rules
from souk.games import game_class, own_names


def protocol_of(name):
    """The rules protocol of a game: the class in its rules_protocol.py that extends Rules."""
    module = importlib.import_module(f"souk.games.{name}.rules_protocol")
    classes = [one for _, one in inspect.getmembers(module, inspect.isclass) if one is not Rules]
    (protocol,) = [one for one in classes if Rules in one.__mro__]
    return protocol


def declared_names(protocol):
    """The constants with their types, and the functions with their parameters."""
    constants, functions = {}, {}
    for kind in protocol.__mro__:
        if Rules in kind.__mro__:
            constants |= inspect.get_annotations(kind, eval_str=True)
            functions |= {
                name: [one for one in inspect.signature(value).parameters if one != "self"]
                for name, value in vars(kind).items()
                if isinstance(value, FunctionType) and not name.startswith("_")
            }
    return constants, functions


@pytest.mark.parametrize("name", own_names())
def test_every_declared_name_is_defined_by_the_specialised_kernels(name):
    constants, functions = declared_names(protocol_of(name))
    assert "PLAYERS" in constants and "apply" in functions
    for game in game_class(name).games_for_all_kernels():
        kernel = vars(game.rules)
        for constant, kind in constants.items():
            expected = int if kind is int else tuple
            assert isinstance(kernel.get(constant), expected), f"{game}: {constant}"
        for function, parameters in functions.items():
            assert callable(kernel.get(function)), f"{game}: {function}"
            defined = [name.lstrip("_") for name in inspect.signature(kernel[function]).parameters]
            assert defined == parameters, f"{game}: {function}"
