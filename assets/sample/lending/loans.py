"""Loans: lending books, renewing them, taking them back."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Iterator

from .catalog import Catalog
from .clock import Clock
from .config import Config
from .fines import fine_cents
from .storage import Table


class LoanError(Exception):
    """A book can't be lent or renewed."""


@dataclass
class Loan:
    """A book that a reader has at home."""

    isbn: str
    reader: str
    due: datetime
    renewals: int = 0

    def is_overdue(self, now: datetime) -> bool:
        return now > self.due


class LoanDesk:
    """Lends books and takes them back."""

    def __init__(self, catalog: Catalog, config: Config, clock: Clock):
        self.catalog = catalog
        self.config = config
        self.clock = clock
        self.loans: Table[Loan] = Table()

    def lend(self, isbn: str, reader: str) -> Loan:
        """Lends a book that is on the shelf."""
        book = self.catalog.book(isbn)
        if book.is_lent:
            raise LoanError(f"{book.title} is lent")
        book.is_lent = True
        return self.loans.put(isbn, Loan(isbn, reader, self.due_date()))

    def renew(self, isbn: str) -> Loan:
        """Moves the due date, unless the book was renewed too often or is late."""
        loan = self.loan(isbn)
        if loan.renewals >= self.config.renewals:
            raise LoanError("renewed too often")
        if loan.is_overdue(self.clock.now()):
            raise LoanError("the book is late")
        loan.renewals += 1
        loan.due = self.due_date()
        return loan

    def give_back(self, isbn: str) -> int:
        """Takes a book back and returns the fine in cents."""
        loan = self.loan(isbn)
        self.catalog.book(isbn).is_lent = False
        self.loans.delete(isbn)
        return fine_cents(loan.due, self.clock.now(), self.config)

    def overdue(self) -> Iterator[Loan]:
        """Yields the loans that are late."""
        now = self.clock.now()
        return self.loans.where(lambda loan: loan.is_overdue(now))

    def loan(self, isbn: str) -> Loan:
        loan = self.loans.get(isbn)
        if loan is None:
            raise LoanError("the book is not lent")
        return loan

    def due_date(self) -> datetime:
        return self.clock.now() + timedelta(days=self.config.loan_days)
