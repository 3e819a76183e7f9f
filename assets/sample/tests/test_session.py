from datetime import datetime, timezone

from lending.clock import FixedClock
from lending.config import Config
from lending.session import SessionStore


def store() -> SessionStore:
    return SessionStore(Config(), FixedClock(datetime(2026, 1, 1, tzinfo=timezone.utc)))


def test_session_ends_after_its_minutes():
    sessions = store()
    token = sessions.open("ada").token
    sessions.clock.advance(minutes=31)
    assert sessions.find(token) is None


def test_touched_session_lasts_longer():
    sessions = store()
    session = sessions.open("ada")
    sessions.clock.advance(minutes=20)
    sessions.touch(session)
    sessions.clock.advance(minutes=20)
    assert sessions.find(session.token) is session


def test_expired_sessions_are_removed():
    sessions = store()
    sessions.open("ada")
    sessions.clock.advance(hours=1)
    assert sessions.remove_expired() == 1
