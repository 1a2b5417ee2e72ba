"""A typed client for Parley: ``Parley(token)``, or ``AsyncParley(token)`` for asyncio."""

from .call import File, Options, etag_of
from .client import AsyncParley, Parley
from .errors import ParleyError, WebhookVerificationError
from .events import ReceivedEvent
from .listing import AsyncListing, Listing
from .webhooks import verify_webhook

__all__ = [
    "AsyncListing",
    "AsyncParley",
    "File",
    "Listing",
    "Options",
    "Parley",
    "ParleyError",
    "ReceivedEvent",
    "WebhookVerificationError",
    "etag_of",
    "verify_webhook",
]
