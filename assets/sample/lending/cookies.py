"""Signed cookies: the browser keeps the token, and nobody can make one up."""

import hashlib
import hmac


class BadSignature(Exception):
    """A cookie was changed, or signed with another key."""


def sign_cookie(token: str, secret_key: str) -> str:
    """Appends a signature to a token."""
    return f"{token}.{signature(token, secret_key)}"


def read_cookie(value: str, secret_key: str) -> str:
    """Returns the token of a cookie after checking its signature."""
    token, _, found = value.rpartition(".")
    if not hmac.compare_digest(found, signature(token, secret_key)):
        raise BadSignature(value)
    return token


def signature(token: str, secret_key: str) -> str:
    return hmac.new(secret_key.encode(), token.encode(), hashlib.sha256).hexdigest()
