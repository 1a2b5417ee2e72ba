"""One request and its answer, over connections that are kept open."""

from __future__ import annotations

import http.client
import ssl
import threading
from dataclasses import dataclass
from email.message import Message
from urllib.parse import urlsplit

_most_idle = 8


@dataclass(frozen=True)
class Answer:
    status: int
    reason: str
    headers: Message
    body: bytes


class Transport:
    """Sends requests to one server. May be used by several threads at once."""

    def __init__(self, base_url: str, ssl_context: ssl.SSLContext | None = None) -> None:
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{base_url!r} is no address of a server, such as https://parley.example.com.")
        self._host = parts.hostname
        self._port = parts.port
        self._path = parts.path.rstrip("/")
        self._context = (ssl_context or ssl.create_default_context()) if parts.scheme == "https" else None
        self._idle: list[http.client.HTTPConnection] = []
        self._lock = threading.Lock()

    def send(
        self, method: str, target: str, headers: dict[str, str], body: bytes | None, *, timeout: float
    ) -> Answer:
        """Fails with OSError or HTTPException when no answer came."""
        # A kept connection may have been closed by the other side; what must not be sent twice goes over a new one.
        kept = self._take() if method != "PATCH" else None
        if kept is not None:
            try:
                return self._over(kept, method, target, headers, body, timeout)
            except (http.client.RemoteDisconnected, ConnectionError):
                kept.close()
        return self._over(self._open(timeout), method, target, headers, body, timeout)

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _over(
        self,
        connection: http.client.HTTPConnection,
        method: str,
        target: str,
        headers: dict[str, str],
        body: bytes | None,
        timeout: float,
    ) -> Answer:
        try:
            if connection.sock is not None:
                connection.sock.settimeout(timeout)
            connection.request(method, self._path + target, body=body, headers=headers)
            response = connection.getresponse()
            answer = Answer(response.status, response.reason, response.headers, response.read())
        except BaseException:
            connection.close()
            raise
        if response.will_close:
            connection.close()
        else:
            self._give(connection)
        return answer

    def _open(self, timeout: float) -> http.client.HTTPConnection:
        if self._context is None:
            return http.client.HTTPConnection(self._host, self._port, timeout=timeout)
        return http.client.HTTPSConnection(self._host, self._port, timeout=timeout, context=self._context)

    def _take(self) -> http.client.HTTPConnection | None:
        with self._lock:
            return self._idle.pop() if self._idle else None

    def _give(self, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            if len(self._idle) < _most_idle:
                self._idle.append(connection)
                return
        connection.close()
