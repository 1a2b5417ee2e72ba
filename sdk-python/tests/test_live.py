"""The SDK against a running Parley: PARLEY_URL and PARLEY_TOKEN say where it is. `npm run test:peers` starts one."""

from __future__ import annotations

import asyncio
import os
import queue
import threading
import time
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable

from parley import AsyncParley, Options, Parley, ParleyError, WebhookVerificationError, etag_of, verify_webhook
from parley.models import MessageCreateTemplate

URL = os.environ["PARLEY_URL"]
TOKEN = os.environ["PARLEY_TOKEN"]
SENDER = "+44 7700 900001"
ANA = "+44 7700 900123"

Received = tuple[str, str, dict[str, str], bytes]


def template() -> MessageCreateTemplate:
    return {"chatapp_number": SENDER, "to_chatapp_number": ANA, "type": "TEMPLATE", "template": {"template_name": "welcome"}}


class Server:
    """A server of a few lines: what it was sent, and what it answers, one status after the other."""

    def __init__(self, *answers: tuple[int, dict[str, str], bytes]) -> None:
        received: queue.Queue[Received] = queue.Queue()
        remaining = list(answers)

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                received.put((self.command, self.path, dict(self.headers), body))
                status, headers, content = remaining.pop(0) if remaining else (200, {}, b"{}")
                self.send_response(status)
                for name, value in {"Content-Length": str(len(content)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PATCH = answer

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.received = received
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


class Live(unittest.TestCase):
    def setUp(self) -> None:
        self.parley = Parley(TOKEN, base_url=URL)
        self.addCleanup(self.parley.close)

    def test_sends_a_message_and_reads_it(self) -> None:
        message = self.parley.create_message(template())
        self.assertEqual(message["status"], "QUEUED")
        self.assertEqual(self.parley.get_message(message["uuid"])["to_chatapp_number"], ANA)

    def test_iterates_over_all_pages(self) -> None:
        names = {f"List {place} {time.time()}" for place in range(5)}
        made = {self.parley.create_list({"name": name})["uuid"] for name in names}
        found = [one["uuid"] for one in self.parley.list_lists(page_size=2)]
        self.assertTrue(made <= set(found))
        self.assertEqual(len(found), len(set(found)))
        self.assertEqual(len(self.parley.list_lists(page_size=2).page()["results"]), 2)

    def test_errors_tell_their_code_and_fields(self) -> None:
        with self.assertRaises(ParleyError) as wrong:
            self.parley.send_sms({"from": "Parley", "to": "Ana", "text": "Hello"})
        self.assertEqual((wrong.exception.status, wrong.exception.code), (400, "invalid"))
        self.assertIn("to", wrong.exception.field_errors)
        self.assertIn("to: ", wrong.exception.detail)
        self.assertIsNotNone(wrong.exception.request_id)
        with self.assertRaises(ParleyError) as missing:
            self.parley.get_message("01890000-0000-7000-8000-000000000000")
        self.assertEqual((missing.exception.status, missing.exception.code), (404, "not_found"))
        with self.assertRaises(ParleyError) as stranger:
            Parley("nobody", base_url=URL).get_account()
        self.assertEqual(stranger.exception.code, "authentication_failed")

    def test_the_same_key_does_the_work_once(self) -> None:
        options = Options(idempotency_key=f"once-{time.time()}")
        first = self.parley.create_message(template(), options=options)
        self.assertEqual(self.parley.create_message(template(), options=options)["uuid"], first["uuid"])

    def test_a_change_of_an_old_version_is_refused(self) -> None:
        first = self.parley.get_list(self.parley.create_list({"name": "Versions in Python"})["uuid"])
        based_on_first = Options(if_match=etag_of(first))
        self.parley.update_list(first["uuid"], {"name": "Second in Python"}, options=based_on_first)
        with self.assertRaises(ParleyError) as late:
            self.parley.delete_list(first["uuid"], options=based_on_first)
        self.assertEqual((late.exception.status, late.exception.code), (412, "precondition_failed"))

    def test_changes_deletes_uploads_and_downloads(self) -> None:
        made = self.parley.create_list({"name": f"To go {time.time()}"})
        changed = self.parley.update_list(made["uuid"], {"description": "Soon."})
        self.assertEqual(changed["description"], "Soon.")
        self.parley.delete_list(made["uuid"])
        with self.assertRaises(ParleyError):
            self.parley.get_list(made["uuid"])
        job = self.parley.upload_contacts(("people.csv", "phone_number,name\n+44 7700 900141,Ana Grün\n".encode()), dry_run=True)
        self.assertEqual(job["type"], "contacts.import")
        intro = self.parley.create_chat_intro({"chatapp_number": SENDER, "expected_message_template": "Hello"})
        self.assertTrue(intro["chat_url"].startswith(URL))
        self.assertTrue(self.parley.get_chat_intro_qr(intro["uuid"], size=128).startswith(b"\x89PNG"))

    def test_verifies_what_parley_sends(self) -> None:
        with Server() as receiver:
            webhook = self.parley.create_chatapp_webhook({"url": f"{receiver.url}/hook", "events": ["chatapp.message.status"]})
            message = self.parley.create_message(template())
            # Other tests have sent messages too.
            headers, body = next((head, sent) for _, _, head, sent in iter(lambda: receiver.received.get(timeout=60), None) if message["uuid"].encode() in sent)
            event = verify_webhook(body, headers, webhook["secret"])
            # A type checker knows what the data is once the type is known.
            assert event["type"] == "chatapp.message.status"
            self.assertEqual(event["data"]["uuid"], message["uuid"])
            self.assertEqual(event["data"]["status"], "SENT")
            self.assertEqual({name.lower(): one for name, one in headers.items()}["webhook-id"], event["id"])
            self.parley.delete_chatapp_webhook(webhook["uuid"])
        lower = {name.lower(): value for name, value in headers.items()}
        refused: list[tuple[bytes, dict[str, str], str]] = [
            (body + b" ", lower, webhook["secret"]),
            (body, {**lower, "webhook-timestamp": str(int(lower["webhook-timestamp"]) - 301)}, webhook["secret"]),
            (body, {**lower, "webhook-id": "another"}, webhook["secret"]),
            (body, {}, webhook["secret"]),
            (body, lower, "whsec_AAAA"),
        ]
        for text, given, secret in refused:
            with self.assertRaises(WebhookVerificationError):
                verify_webhook(text, given, secret)

    def test_asyncio(self) -> None:
        async def main() -> None:
            async with AsyncParley(TOKEN, base_url=URL) as parley:
                messages = await asyncio.gather(*(parley.create_message(template()) for _ in range(5)))
                self.assertEqual(len({one["uuid"] for one in messages}), 5)
                found = {one["uuid"] async for one in parley.list_messages(page_size=2)}
                self.assertTrue({one["uuid"] for one in messages} <= found)
                with self.assertRaises(ParleyError):
                    await parley.get_message("01890000-0000-7000-8000-000000000000")

        asyncio.run(main())


class Retries(unittest.TestCase):
    put_off = (429, {"Retry-After": "0"}, b'{"detail": "Slow down.", "code": "throttled"}')
    overloaded = (503, {"Retry-After": "0"}, b"")

    def tries(self, call: Callable[[Parley], Any], *answers: tuple[int, dict[str, str], bytes]) -> list[Received]:
        with Server(*answers) as server:
            parley = Parley("token", base_url=server.url, timeout=10)
            try:
                call(parley)
            except ParleyError as error:
                self.error = error
            parley.close()
            return [server.received.get_nowait() for _ in range(server.received.qsize())]

    def test_a_request_that_was_put_off_is_made_again_with_the_same_key(self) -> None:
        made = self.tries(lambda parley: parley.create_message(template()), self.put_off, self.overloaded)
        self.assertEqual(len(made), 3)
        self.assertEqual(len({headers["Idempotency-Key"] for _, _, headers, _ in made}), 1)
        self.assertEqual(len({body for _, _, _, body in made}), 1)

    def test_a_patch_is_made_again_only_when_it_was_refused(self) -> None:
        patch: Callable[[Parley], Any] = lambda parley: parley.update_account({"name": "A"})
        self.assertEqual(len(self.tries(patch, self.put_off)), 2)
        self.assertEqual(len(self.tries(patch, self.overloaded)), 1)
        self.assertEqual((self.error.status, self.error.code), (503, "unexpected_answer"))

    def test_who_is_asked_to_wait_long_gets_the_error(self) -> None:
        self.assertEqual(len(self.tries(lambda parley: parley.get_account(), (429, {"Retry-After": "3600"}, b""))), 1)

    def test_no_answer_is_an_error_with_a_code(self) -> None:
        with Server() as server:
            gone = server.url
        with self.assertRaises(ParleyError) as error:
            Parley("token", base_url=gone, retries=0).get_account()
        self.assertEqual((error.exception.status, error.exception.code), (0, "unreachable"))


if __name__ == "__main__":
    unittest.main()
