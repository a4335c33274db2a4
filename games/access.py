"""Who is asking: from Django's user to the audience's viewer."""

from __future__ import annotations

from typing import Any

from games.audience import VISITOR, Viewer


def viewer_of(user: Any) -> Viewer:
    """An operator is signed in and on the staff; everybody else visits."""
    if user is not None and user.is_authenticated and user.is_staff:
        return Viewer(operator=True)
    return VISITOR
