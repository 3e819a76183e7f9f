"""Mail to readers."""

from .fines import fine_cents, format_fine
from .loans import Loan, LoanDesk
from .readers import Reader


class Mailer:
    """Collects messages; a real one would send them."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, str]] = []

    def send(self, address: str, text: str) -> None:
        self.sent.append((address, text))

    def remind(self, reader: Reader, loan: Loan, desk: LoanDesk) -> None:
        """Reminds a reader of a late book and of what it costs so far."""
        cents = fine_cents(loan.due, desk.clock.now(), desk.config)
        title = desk.catalog.book(loan.isbn).title
        self.send(reader.email, f"{title} is late; the fine is {format_fine(cents)}")
