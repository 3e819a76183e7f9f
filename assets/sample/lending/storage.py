"""Rows in memory, with an index by key."""

from typing import Callable, Generic, Iterator, TypeVar

Row = TypeVar("Row")


class Table(Generic[Row]):
    """Rows by key."""

    def __init__(self) -> None:
        self.rows: dict[str, Row] = {}

    def put(self, key: str, row: Row) -> Row:
        self.rows[key] = row
        return row

    def get(self, key: str) -> Row | None:
        return self.rows.get(key)

    def delete(self, key: str) -> None:
        self.rows.pop(key, None)

    def where(self, condition: Callable[[Row], bool]) -> Iterator[Row]:
        """Yields the rows that meet a condition."""
        return (row for row in list(self.rows.values()) if condition(row))
