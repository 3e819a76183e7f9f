from datetime import datetime, timezone

import pytest

from lending.catalog import Book, Catalog
from lending.clock import FixedClock
from lending.config import Config
from lending.loans import LoanDesk, LoanError


def desk() -> LoanDesk:
    catalog = Catalog()
    catalog.add(Book("1", "Emma", "Jane Austen"))
    return LoanDesk(catalog, Config(), FixedClock(datetime(2026, 1, 1, tzinfo=timezone.utc)))


def test_lent_book_is_not_lent_again():
    loans = desk()
    loans.lend("1", "ada")
    with pytest.raises(LoanError):
        loans.lend("1", "grace")


def test_late_book_costs_a_fine():
    loans = desk()
    loans.lend("1", "ada")
    loans.clock.advance(days=30)
    assert loans.give_back("1") == 40


def test_late_book_is_not_renewed():
    loans = desk()
    loans.lend("1", "ada")
    loans.clock.advance(days=30)
    with pytest.raises(LoanError):
        loans.renew("1")
