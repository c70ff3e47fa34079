"""Optional dependencies, which pip installs as extras of the package."""

from collections.abc import Iterator
from contextlib import contextmanager

from souk.engine.errors import SoukError


class MissingExtra(SoukError):
    """Something needs an extra that is not installed."""


@contextmanager
def needs_extra(extra: str, what: str) -> Iterator[None]:
    """Name the extra to install if an import in this block fails.

    >>> with needs_extra("arena", "a rating"):
    ...     import no_such_module
    Traceback (most recent call last):
    souk.engine.extras.MissingExtra: a rating needs the arena extra: pip install "souk[arena]"
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "souk":  # a mistake of ours
            raise
        message = f'{what} needs the {extra} extra: pip install "souk[{extra}]"'
        raise MissingExtra(message) from None
    except ImportError as error:  # such as CuPy without a driver
        reason = str(error).strip().partition("\n")[0]
        raise MissingExtra(f"{what}: the {extra} extra cannot be loaded: {reason}") from error
