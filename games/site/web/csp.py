"""What a page may load, and who may frame it: the Content-Security-Policy of the site's pages."""

from __future__ import annotations


def policy(framed_by: str = "'none'", scripts: str = "", styles: str = "") -> str:
    """Everything from the site itself. Pictures also as data and blobs: a board's canvas is saved as one.

    ``framed_by`` says which sites may show the page in a frame.
    """
    return "; ".join(
        (
            "default-src 'self'",
            *([f"script-src {scripts}"] if scripts else []),
            *([f"style-src {styles}"] if styles else []),
            "img-src 'self' data: blob:",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'self'",
            f"frame-ancestors {framed_by}",
        )
    )
