"""The clients."""

from __future__ import annotations

import asyncio
import ssl
from typing import Any

from .call import Caller, Options, Request
from .async_operations import AsyncOperations
from .operations import Operations
from .transport import Transport

_default_url = "http://127.0.0.1:8080"


class Parley(Operations):
    """A method for each operation of the API, which fails with a ParleyError. Threads may share one client."""

    def __init__(
        self,
        token: str | None = None,
        *,
        base_url: str = _default_url,
        retries: int = 3,
        timeout: float = 30.0,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        self._transport = Transport(base_url, ssl_context)
        self._caller = Caller(self._transport, token, retries=retries, timeout=timeout)

    def _call(self, request: Request, options: Options | None) -> Any:
        return self._caller.call(request, options)

    def close(self) -> None:
        """Closes the connections that are kept open."""
        self._transport.close()

    def __enter__(self) -> Parley:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncParley(AsyncOperations):
    """The same for asyncio: each call runs in a thread, so that the loop goes on."""

    def __init__(
        self,
        token: str | None = None,
        *,
        base_url: str = _default_url,
        retries: int = 3,
        timeout: float = 30.0,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        self._transport = Transport(base_url, ssl_context)
        self._caller = Caller(self._transport, token, retries=retries, timeout=timeout)

    async def _call(self, request: Request, options: Options | None) -> Any:
        return await asyncio.to_thread(self._caller.call, request, options)

    async def close(self) -> None:
        """Closes the connections that are kept open."""
        self._transport.close()

    async def __aenter__(self) -> AsyncParley:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
