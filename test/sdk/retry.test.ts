// What the SDK does when the server is away, slow or overloaded: against a server that answers as each test says.
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createParley, ParleyError } from '../../sdk/src/index.ts';

interface Received {
  atMs: number;
  method: string;
  key: string | undefined;
  body: string;
}
type Answering = (answer: ServerResponse) => void;

const ok: Answering = (answer) => answer.writeHead(200, { 'content-type': 'application/json' }).end('{"uuid":"1"}');
const cut: Answering = (answer) => answer.destroy();
const silent: Answering = () => {};
const status =
  (code: number, headers = {}): Answering =>
  (answer) =>
    answer.writeHead(code, headers).end('{"detail":"Not now.","code":"a_code"}');

const sms = { from: 'Parley', to: '+44 7700 900123', text: 'Hello' };

describe('The SDK, when things go wrong', () => {
  const received: Received[] = [];
  let answers: Answering[] = [];
  const server = createServer(async (request: IncomingMessage, answer) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const key = request.headers['idempotency-key'] as string | undefined;
    received.push({ atMs: Date.now(), method: request.method!, key, body });
    (answers.shift() ?? ok)(answer);
  });
  let baseUrl: string;
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  beforeEach(() => {
    received.length = 0;
    answers = [];
  });
  const parleyOf = (options = {}) => createParley({ baseUrl, token: 't', ...options });
  const failing = async (work: PromiseLike<unknown>): Promise<ParleyError> => {
    const error = await Promise.resolve(work).then(
      () => assert.fail('it succeeded'),
      (error) => error,
    );
    assert.ok(error instanceof ParleyError, String(error));
    return error;
  };

  it('repeats a POST with the same key and body until it succeeds', async () => {
    answers = [cut, status(503), status(502)];
    assert.equal((await parleyOf().sendSms(sms)).uuid, '1');
    assert.equal(received.length, 4);
    assert.match(received[0]!.key!, /^[0-9a-f-]{36}$/);
    assert.deepEqual(new Set(received.map(({ key }) => key)).size, 1);
    for (const { body } of received) assert.deepEqual(JSON.parse(body), sms);
  });

  it('gives each POST a key of its own, and none to other methods', async () => {
    const parley = parleyOf();
    await parley.sendSms(sms);
    await parley.POST('/v2/send-sms/', { body: sms });
    await parley.sendSms(sms, { idempotencyKey: 'mine' });
    await parley.POST('/v2/send-sms/', { body: sms, params: { header: { 'Idempotency-Key': 'mine too' } } });
    await parley.getAccount();
    const [first, second, ...rest] = received.map(({ key }) => key);
    assert.ok(first && second && first !== second);
    assert.deepEqual(rest, ['mine', 'mine too', undefined]);
  });

  for (const [name, code] of [
    ['a throttled request', 429],
    ['a request whose first try is still running', 409],
  ] as const) {
    it(`repeats ${name} not before Retry-After says so`, async () => {
      answers = [status(code, { 'retry-after': '1' })];
      await parleyOf().sendSms(sms);
      const [first, second] = received;
      assert.ok(second!.atMs - first!.atMs > 990);
    });
  }

  it('understands a Retry-After that is a date', async () => {
    let date = '';
    answers = [
      (answer) => {
        // Dates have whole seconds: this one is between one and two seconds ahead.
        date = new Date(Date.now() + 2000).toUTCString();
        status(503, { 'retry-after': date })(answer);
      },
    ];
    await parleyOf().getAccount();
    assert.ok(received[1]!.atMs >= Date.parse(date) - 10);
  });

  it('does not wait for a server that wants to be left alone for an hour', async () => {
    answers = [status(429, { 'retry-after': '3600' })];
    assert.equal((await failing(parleyOf().getAccount())).status, 429);
    assert.equal(received.length, 1);
  });

  it('repeats a PATCH only when it was refused', async () => {
    const parley = parleyOf();
    answers = [status(429)];
    await parley.updateAccount({});
    assert.equal(received.length, 2);
    for (const trouble of [status(503), cut]) {
      received.length = 0;
      answers = [trouble];
      await failing(parley.updateAccount({}));
      assert.equal(received.length, 1);
    }
  });

  it('repeats no request that was answered for good', async () => {
    for (const code of [400, 401, 404, 409, 422, 500]) {
      received.length = 0;
      answers = [status(code)];
      const error = await failing(parleyOf().sendSms(sms));
      assert.deepEqual([error.status, error.code, error.detail, received.length], [code, 'a_code', 'Not now.', 1]);
    }
  });

  it('gives up after the retries it was given', async () => {
    answers = [cut, cut, cut, cut];
    const error = await failing(parleyOf({ retries: 1 }).getAccount());
    assert.deepEqual([error.status, error.code, received.length], [0, 'unreachable', 2]);
    assert.ok(error.cause instanceof Error);
    answers = [status(503), status(503)];
    assert.equal((await failing(parleyOf().getAccount({ retries: 1 }))).code, 'a_code');
    assert.equal(received.length, 4);
  });

  it('repeats what was not answered in time', async () => {
    answers = [silent];
    await parleyOf({ timeoutMs: 1000 }).sendSms(sms);
    assert.ok(received.length > 1);
    await parleyOf({ timeoutMs: Number.POSITIVE_INFINITY, retries: 0 }).sendSms(sms);
    answers = [silent];
    const error = await failing(parleyOf().sendSms(sms, { timeoutMs: 100, retries: 0 }));
    assert.deepEqual([error.status, error.code], [0, 'timed_out']);
  });

  it('says what it is when something in between answers', async () => {
    answers = [(answer) => answer.writeHead(502, 'Bad Gateway').end('<html>')];
    const error = await failing(parleyOf({ retries: 0 }).getAccount());
    assert.deepEqual([error.code, error.detail], ['unexpected_answer', 'The answer was 502 Bad Gateway.']);
  });

  it('stops when the caller aborts: before, during and between tries', async () => {
    const reason = new Error('enough');
    await assert.rejects(parleyOf().getAccount({ signal: AbortSignal.abort(reason) }), reason);
    assert.equal(received.length, 0);
    for (const answering of [silent, status(503, { 'retry-after': '30' })]) {
      received.length = 0;
      const controller = new AbortController();
      answers = [
        (answer) => {
          answering(answer);
          setTimeout(() => controller.abort(reason), 50);
        },
      ];
      await assert.rejects(parleyOf().getAccount({ signal: controller.signal }), reason);
      assert.equal(received.length, 1);
    }
  });

  it('stops reading an answer when the caller aborts', async () => {
    const controller = new AbortController();
    answers = [
      (answer) => {
        answer.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n');
      },
    ];
    const stream = await parleyOf().streamEvents({}, { signal: controller.signal });
    const reader = stream.getReader();
    await reader.read();
    controller.abort(new Error('enough'));
    await assert.rejects(reader.read(), /enough/);
  });

  it('repeats a form only when asked to, whole', async () => {
    const form = new FormData();
    form.set('file', new Blob(['phone_number\n+44 7700 900123\n']), 'people.csv');
    answers = [status(503)];
    await failing(parleyOf().uploadContacts(form));
    answers = [status(503)];
    await parleyOf().uploadContacts(form, { retries: 1 });
    const [, second, third] = received;
    assert.match(second!.body, /people\.csv.*900123/s);
    assert.equal(third!.body, second!.body);
    assert.equal(third!.key, second!.key);
  });
});
