"""The types of a call's body."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from typing_extensions import Buffer

    Body: TypeAlias = bytes | bytearray | memoryview | str | Buffer
    """The types of a call's body."""
else:
    Body = bytes | bytearray | memoryview | str

__all__ = ["Body", "size_of"]


def size_of(body: Body) -> int:
    """The number of bytes of a body, or of characters if it is a text.

    Args:
        body: The body.

    Returns:
        The number.

    Raises:
        TypeError: The object is not a body.
    """
    return len(body) if isinstance(body, (str, bytes)) else memoryview(body).nbytes
