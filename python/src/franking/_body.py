"""What a call's body may be."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from typing_extensions import Buffer

    Body: TypeAlias = bytes | bytearray | memoryview | str | Buffer
    """What a call's body may be."""
else:
    Body = bytes | bytearray | memoryview | str

__all__ = ["Body", "size_of"]


def size_of(body: Body) -> int:
    """How many bytes a body has, or characters if it is a text.

    Args:
        body: The body.

    Returns:
        The number.

    Raises:
        TypeError: This cannot be a body.
    """
    return len(body) if isinstance(body, (str, bytes)) else memoryview(body).nbytes
