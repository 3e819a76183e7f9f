"""Readers and their passwords."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass, field

from .storage import Table


class WrongPassword(Exception):
    """The password does not fit the name."""


@dataclass
class Reader:
    """A person with a library card."""

    name: str
    email: str
    salt: str = field(default_factory=lambda: secrets.token_hex(8))
    password: str = ""

    def set_password(self, password: str) -> None:
        self.password = hashed(password, self.salt)

    def has_password(self, password: str) -> bool:
        return hmac.compare_digest(self.password, hashed(password, self.salt))


class Register:
    """All readers, by name."""

    def __init__(self) -> None:
        self.readers: Table[Reader] = Table()

    def add(self, name: str, email: str, password: str) -> Reader:
        reader = Reader(name, email)
        reader.set_password(password)
        return self.readers.put(name, reader)

    def authenticate(self, name: str, password: str) -> Reader:
        """Returns the reader, if the password is right."""
        reader = self.readers.get(name)
        if reader is None or not reader.has_password(password):
            raise WrongPassword(name)
        return reader


def hashed(password: str, salt: str) -> str:
    return hashlib.pbkdf2_hmac("sha256", password.encode(), salt.encode(), 100_000).hex()
