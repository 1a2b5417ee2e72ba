"""What a call fails with."""

from __future__ import annotations

from typing import Any, Mapping


class ParleyError(Exception):
    """Any answer other than success, and no answer at all."""

    def __init__(
        self,
        *,
        status: int,
        code: str,
        detail: str,
        field_errors: Mapping[str, Any] | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(detail)
        #: The status of the answer; 0: none came.
        self.status = status
        #: A word for programs: that of the answer (docs/errors.md lists them); ``invalid`` when fields are wrong; ``unreachable``
        #: or ``timed_out`` when no answer came; ``unexpected_answer`` when something in between answered.
        self.code = code
        #: A sentence for people.
        self.detail = detail
        #: What is wrong with which field, nested as the request is nested; empty for other errors.
        self.field_errors: Mapping[str, Any] = field_errors or {}
        #: Quote it when you report a problem.
        self.request_id = request_id


class WebhookVerificationError(Exception):
    """A delivery is not from your Parley, was changed on its way, or is too old."""


def error_of(status: int, reason: str, body: Any, request_id: str | None) -> ParleyError:
    """What an unsuccessful answer says; ``body`` is its JSON, or None if it is none."""
    if isinstance(body, dict):
        detail, code = body.get("detail"), body.get("code")
        if isinstance(detail, str) and isinstance(code, str):
            return ParleyError(status=status, code=code, detail=detail, request_id=request_id)
    if status == 400 and isinstance(body, (dict, list)):
        # The errors of a list come as a list, one entry per item; its keys become 0, 1, 2...
        fields = body if isinstance(body, dict) else {str(place): one for place, one in enumerate(body)}
        return ParleyError(
            status=status, code="invalid", detail=_in_words(fields), field_errors=fields, request_id=request_id
        )
    detail = f"The answer was {status} {reason}".rstrip() + "."
    return ParleyError(status=status, code="unexpected_answer", detail=detail, request_id=request_id)


def _in_words(errors: Any, path: tuple[str, ...] = ()) -> str:
    """``to: Enter a valid phone number.``, one after the other."""
    if isinstance(errors, list) and all(isinstance(one, str) for one in errors):
        sentences = " ".join(errors)
        return f"{'.'.join(path)}: {sentences}" if path else sentences
    entries = enumerate(errors) if isinstance(errors, list) else errors.items() if isinstance(errors, dict) else ()
    inner = (_in_words(one, path if key == "non_field_errors" else (*path, str(key))) for key, one in entries if one)
    return " ".join(sentence for sentence in inner if sentence)
