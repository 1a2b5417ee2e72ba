"""Webhooks that are really from your Parley."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Mapping, cast

from .errors import WebhookVerificationError
from .events import ReceivedEvent

#: Seconds that a delivery may be old, or ahead of our clock.
_tolerance = 300


def verify_webhook(body: bytes | str, headers: Mapping[str, str], secret: str) -> ReceivedEvent:
    """Checks that a delivery is from your Parley and not older than five minutes, and reads it.

    ``body`` must be as it came, before any parsing; ``secret`` is what creating the webhook showed. Raises a
    WebhookVerificationError otherwise. ``event["type"]`` tells a type checker what ``event["data"]`` is.
    """
    content = body.encode() if isinstance(body, str) else body
    given = {name.lower(): value for name, value in headers.items()}
    event_id, moment = given.get("webhook-id", ""), given.get("webhook-timestamp", "")
    signatures = given.get("webhook-signature", "").split()
    if not event_id or not moment or not signatures:
        raise WebhookVerificationError("The headers of the signature are missing.")
    if not moment.isascii() or not moment.isdigit() or abs(time.time() - int(moment)) > _tolerance:
        raise WebhookVerificationError("The delivery is too old, or ahead of this clock.")
    signed = f"{event_id}.{moment}.".encode() + content
    expected = base64.b64encode(hmac.new(_key_of(secret), signed, hashlib.sha256).digest())
    if not any(hmac.compare_digest(b"v1," + expected, one.encode()) for one in signatures):
        raise WebhookVerificationError("No signature matches.")
    event = json.loads(content)
    event["id"] = event_id
    return cast(ReceivedEvent, event)


def _key_of(secret: str) -> bytes:
    try:
        return base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error as cause:
        raise ValueError("A secret of a webhook looks like whsec_ and letters of base64.") from cause
