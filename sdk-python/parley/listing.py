"""Lists, page after page."""

from __future__ import annotations

from typing import Any, AsyncIterator, Awaitable, Callable, Generic, Iterator, TypeVar
from urllib.parse import parse_qs, urlsplit

Page = TypeVar("Page")
Item = TypeVar("Item")


def _cursor_of(page: Any) -> str | None:
    """Only the cursor of the next address is taken: behind a proxy we may know the server by another name."""
    following = page["next"]
    return None if following is None else next(iter(parse_qs(urlsplit(following).query).get("cursor", [])), None)


class Listing(Generic[Page, Item]):
    """A list. Iterated over, it is all its items, page after page as they are needed; ``page()`` is its first page."""

    def __init__(self, fetch: Callable[[str | None], Page]) -> None:
        self._fetch = fetch

    def page(self, cursor: str | None = None) -> Page:
        return self._fetch(cursor)

    def pages(self) -> Iterator[Page]:
        page = self._fetch(None)
        yield page
        while (cursor := _cursor_of(page)) is not None:
            page = self._fetch(cursor)
            yield page

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            items: list[Item] = page["results"]  # type: ignore[index]
            yield from items


class AsyncListing(Generic[Page, Item]):
    """The same for ``async for``; ``await listing.page()`` is its first page."""

    def __init__(self, fetch: Callable[[str | None], Awaitable[Page]]) -> None:
        self._fetch = fetch

    async def page(self, cursor: str | None = None) -> Page:
        return await self._fetch(cursor)

    async def pages(self) -> AsyncIterator[Page]:
        page = await self._fetch(None)
        yield page
        while (cursor := _cursor_of(page)) is not None:
            page = await self._fetch(cursor)
            yield page

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            items: list[Item] = page["results"]  # type: ignore[index]
            for item in items:
                yield item
