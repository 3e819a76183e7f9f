"""Who is signed in, and for how long."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from .clock import Clock
from .config import Config
from .storage import Table


@dataclass
class Session:
    """One stay of a reader."""

    token: str
    reader: str
    expires_at: datetime

    def is_expired(self, now: datetime) -> bool:
        """Whether the stay is over."""
        return now >= self.expires_at


class SessionStore:
    """Keeps sessions by token."""

    def __init__(self, config: Config, clock: Clock):
        self.config = config
        self.clock = clock
        self.sessions: Table[Session] = Table()

    def open(self, reader: str) -> Session:
        """Starts a session for a reader who has signed in."""
        token = secrets.token_hex(16)
        return self.sessions.put(token, Session(token, reader, self.deadline()))

    def find(self, token: str) -> Session | None:
        """Returns the session of a token, unless it is over."""
        session = self.sessions.get(token)
        if session is None or session.is_expired(self.clock.now()):
            return None
        return session

    def touch(self, session: Session) -> None:
        """Lets a session last longer, because its reader did something."""
        session.expires_at = self.deadline()

    def close(self, token: str) -> None:
        self.sessions.delete(token)

    def remove_expired(self) -> int:
        """Deletes the sessions that are over, and returns how many there were."""
        now = self.clock.now()
        expired = list(self.sessions.where(lambda session: session.is_expired(now)))
        for session in expired:
            self.close(session.token)
        return len(expired)

    def deadline(self) -> datetime:
        return self.clock.now() + timedelta(minutes=self.config.session_minutes)
