"""Work of the night."""

from .loans import LoanDesk
from .mail import Mailer
from .readers import Register
from .session import SessionStore


def nightly(sessions: SessionStore, desk: LoanDesk, register: Register, mailer: Mailer) -> int:
    """Deletes expired sessions and reminds readers of late books; returns the number of reminders."""
    sessions.remove_expired()
    reminders = 0
    for loan in desk.overdue():
        reader = register.readers.get(loan.reader)
        if reader is not None:
            mailer.remind(reader, loan, desk)
            reminders += 1
    return reminders
