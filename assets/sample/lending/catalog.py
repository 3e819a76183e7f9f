"""Books, and how they are found."""

from dataclasses import dataclass

from .storage import Table


@dataclass
class Book:
    """A book on the shelf, or lent."""

    isbn: str
    title: str
    author: str
    is_lent: bool = False

    def matches(self, words: list[str]) -> bool:
        text = f"{self.title} {self.author}".lower()
        return all(word in text for word in words)


class Catalog:
    """The books of the library."""

    def __init__(self) -> None:
        self.books: Table[Book] = Table()

    def add(self, book: Book) -> Book:
        return self.books.put(book.isbn, book)

    def search(self, query: str) -> list[Book]:
        """Returns the books whose title or author has every word, available ones first."""
        found = self.books.where(lambda book: book.matches(query.lower().split()))
        return sorted(found, key=lambda book: (book.is_lent, book.title))

    def book(self, isbn: str) -> Book:
        book = self.books.get(isbn)
        if book is None:
            raise KeyError(f"no book has the number {isbn}")
        return book
