"""Calls of operations: addresses, bodies, retries, errors."""

from __future__ import annotations

import http.client
import json
import random
import time
import uuid
from dataclasses import dataclass, field
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Literal, Mapping, Union
from urllib.parse import quote, urlencode

from .errors import ParleyError, error_of
from .transport import Answer, Transport

#: A file of a form: its bytes, or its name and its bytes.
File = Union[bytes, tuple[str, bytes]]

#: A server that wants to be left alone for longer than this is not waited for: the caller gets its answer.
_longest_wait_seconds = 60.0


@dataclass(frozen=True)
class Options:
    """What may differ from one call to the next. Left out: as for all calls of the client."""

    #: For POST: the same key within 24 hours does the work once. Left out: one is made up for each call.
    idempotency_key: str | None = None
    #: For a change: the version that it is based on (``etag_of``). If somebody changed the object since, the call fails with 412.
    if_match: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    #: How often a request is made again.
    retries: int | None = None
    #: Seconds that each try may wait for the server.
    timeout: float | None = None


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    json: Any = None
    form: Mapping[str, Any] | None = None
    read_as: Literal["json", "text", "bytes", "nothing"] = "json"


class Caller:
    """Calls operations of one server with one token."""

    def __init__(self, transport: Transport, token: str | None, *, retries: int, timeout: float) -> None:
        self._transport = transport
        self._token = token
        self._retries = retries
        self._timeout = timeout

    def call(self, request: Request, options: Options | None) -> Any:
        """The body of the answer; fails with a ParleyError."""
        options = options or Options()
        headers, body = self._prepared(request, options)
        retries = self._retries if options.retries is None else options.retries
        timeout = self._timeout if options.timeout is None else options.timeout
        target = request.path + _query_of(request.query)
        for attempt in range(retries + 1):
            is_last = attempt == retries
            try:
                answer = self._transport.send(request.method, target, headers, body, timeout=timeout)
            except (OSError, http.client.HTTPException) as cause:
                if is_last or request.method == "PATCH":
                    raise _unreachable(cause, timeout) from cause
                time.sleep(_backoff(attempt))
                continue
            wait = _wait_after(request.method, answer, attempt)
            if is_last or wait is None or wait > _longest_wait_seconds:
                return _read(request, answer)
            time.sleep(wait)
        raise AssertionError("The last try returns or raises.")

    def _prepared(self, request: Request, options: Options) -> tuple[dict[str, str], bytes | None]:
        headers = {"Accept": "application/json" if request.read_as == "json" else "*/*", **options.headers}
        if self._token is not None:
            headers["Authorization"] = f"Token {self._token}"
        if request.method == "POST":
            headers["Idempotency-Key"] = options.idempotency_key or str(uuid.uuid4())
        if options.if_match is not None:
            headers["If-Match"] = options.if_match
        body: bytes | None = None
        if request.form is not None:
            boundary = uuid.uuid4().hex
            headers["Content-Type"] = f"multipart/form-data; boundary={boundary}"
            body = _form_of(request.form, boundary)
        elif request.json is not None:
            headers["Content-Type"] = "application/json"
            body = json.dumps(request.json).encode()
        return headers, body


def path_of(template: str, **values: str) -> str:
    """The address of an operation, with its parameters filled in."""
    return template.format(**{name: quote(str(value), safe="") for name, value in values.items()})


def _query_of(query: Mapping[str, Any]) -> str:
    given = {name: _text_of(value) for name, value in query.items() if value is not None}
    return f"?{urlencode(given, doseq=True)}" if given else ""


def _text_of(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    return [_text_of(one) for one in value] if isinstance(value, (list, tuple)) else value


def _form_of(fields: Mapping[str, Any], boundary: str) -> bytes:
    parts: list[bytes] = []
    for name, value in fields.items():
        if value is None:
            continue
        disposition = f'Content-Disposition: form-data; name="{name}"'
        if name == "file":
            filename, content = value if isinstance(value, tuple) else ("file", value)
            safe = filename.replace("\\", "_").replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
            head = f'{disposition}; filename="{safe}"\r\nContent-Type: application/octet-stream'
        else:
            head, content = disposition, str(_text_of(value)).encode()
        parts.append(f"--{boundary}\r\n{head}\r\n\r\n".encode() + content + b"\r\n")
    return b"".join(parts) + f"--{boundary}--\r\n".encode()


def _read(request: Request, answer: Answer) -> Any:
    if not 200 <= answer.status < 300:
        request_id: str | None = answer.headers.get("X-Request-Id")
        raise error_of(answer.status, answer.reason, _json_of(answer), request_id)
    if request.read_as == "json":
        # An operation may answer with nothing, as a deletion does.
        return _tagged(_json_of(answer), answer.headers.get("ETag"))
    if request.read_as == "nothing":
        return None
    return answer.body.decode() if request.read_as == "text" else answer.body


class _Tagged(dict[str, Any]):
    """An object that knows its version."""

    etag: str


def _tagged(body: Any, etag: str | None) -> Any:
    if etag is None or not isinstance(body, dict):
        return body
    tagged = _Tagged(body)
    tagged.etag = etag
    return tagged


def etag_of(answer: Mapping[str, Any]) -> str | None:
    """The version of an object as a call returned it, for ``Options(if_match=...)``; None for what has none, such as a copy."""
    return answer.etag if isinstance(answer, _Tagged) else None


def _json_of(answer: Answer) -> Any:
    try:
        return json.loads(answer.body)
    except ValueError:
        return None


def _unreachable(cause: Exception, timeout: float) -> ParleyError:
    if isinstance(cause, TimeoutError):
        return ParleyError(status=0, code="timed_out", detail=f"No answer came within {timeout:g} s.")
    return ParleyError(status=0, code="unreachable", detail=f"The server cannot be reached: {cause}")


def _wait_after(method: str, answer: Answer, attempt: int) -> float | None:
    """Seconds until another try may succeed; None: it would not."""
    wish: str | None = answer.headers.get("Retry-After")
    # 409: the first try of the same request is still running; other conflicts do not say when to come back.
    put_off = answer.status == 429 or (answer.status == 409 and wish is not None)
    if not put_off and (answer.status not in (502, 503, 504) or method == "PATCH"):
        return None
    asked = None if wish is None else _seconds_of(wish)
    # A little more than asked for, so that many who were put off do not all come back at once.
    return _backoff(attempt) if asked is None else max(0.0, asked) + random.random() * 0.2


def _seconds_of(wish: str) -> float | None:
    try:
        return float(wish)
    except ValueError:
        pass
    try:
        return (parsedate_to_datetime(wish) - datetime.now(timezone.utc)).total_seconds()
    except (TypeError, ValueError):
        return None


def _backoff(attempt: int) -> float:
    """0.25 s, 0.5 s, 1 s... up to 8 s, each shortened by chance to no less than half."""
    return float(min(8.0, 0.25 * 2**attempt) * (0.5 + random.random() / 2))
