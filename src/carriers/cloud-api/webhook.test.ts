import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import { platformJson, signatureOf, startCloudSimulator } from '../../../simulators/cloud-api/index.ts';
import { until } from '../../../test/kit/until.ts';
import { makeEarlyAnswers } from '../../platform/http/wire/early.ts';
import { makeLog } from '../../platform/log.ts';
import type { Sender } from '../ports/chat.ts';
import type { Inbox, RawPayload } from '../ports/inbox.ts';
import { serveCloudWebhook } from './webhook.ts';

const secret = 'demo-app-secret';
const sender: Sender = {
  accountId: '01890000-0000-7000-8000-00000000000a',
  uuid: '01890000-0000-7000-8000-000000000001',
  number: '+34900111222',
  settings: { app_secret: secret, verify_token: 'right' },
};
const bare = {
  ...sender,
  uuid: '01890000-0000-7000-8000-000000000002',
  settings: { app_secret: '', verify_token: '' },
};
const address = (uuid: string) => `/carriers/cloud-api/${uuid}/webhook`;

let app: FastifyInstance;
let kept: RawPayload[];
let looked: number;
let trouble: Error | undefined;

/** The other side of the port: it keeps in memory, or is in trouble. */
const inbox: Inbox = {
  receive: () => Promise.reject(new Error('Nothing is interpreted here.')),
  receipts: () => Promise.reject(new Error('Nothing is interpreted here.')),
  receiveSms: () => Promise.reject(new Error('Nothing is interpreted here.')),
  receiveCall: () => Promise.reject(new Error('Nothing is interpreted here.')),
  async keep(payload) {
    if (trouble) throw trouble;
    kept.push(payload);
  },
  async findSender(uuid, carrier) {
    looked++;
    assert.equal(carrier, 'cloud-api');
    return [sender, bare].find((one) => one.uuid === uuid);
  },
};

beforeEach(() => {
  [kept, looked, trouble] = [[], 0, undefined];
  const log = makeLog({ level: 'silent', pretty: false });
  const early = makeEarlyAnswers({ idOf: () => 'an-id', newId: () => 'an-id', log });
  app = Fastify({ serverFactory: early.serverFactory });
  early.attach(app);
  serveCloudWebhook(app, { inbox, log });
});
afterEach(() => app.close());

function headersOf(signature: string | undefined, more = {}): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': 'application/json', ...more };
  return signature === undefined ? headers : { ...headers, 'x-hub-signature-256': signature };
}

interface Answered {
  statusCode: number;
  body: string;
  json(): { code: string; detail: string };
}
type Post = (
  body: string | Buffer,
  signature: string | undefined,
  more?: { uuid?: string; headers?: object },
) => Promise<Answered>;

/** By the route: what is injected does not come over a connection. */
const inject: Post = (body, signature, { uuid = sender.uuid, headers = {} } = {}) =>
  app.inject({ method: 'POST', url: address(uuid), payload: body, headers: headersOf(signature, headers) });

/** Over a connection, where most is answered before there is a route. */
const send: Post = async (body, signature, { uuid = sender.uuid, headers = {} } = {}) => {
  const { port } = (app.server.address() ?? (await listen())) as net.AddressInfo;
  const url = `http://127.0.0.1:${port}${address(uuid)}`;
  const answer = await fetch(url, {
    method: 'POST',
    body: new Uint8Array(Buffer.from(body)),
    headers: headersOf(signature, headers),
  });
  assert.ok(answer.status === 404 || answer.headers.has('x-request-id'), `${answer.status} by the route`);
  const text = await answer.text();
  return { statusCode: answer.status, body: text, json: () => JSON.parse(text) };
};

async function listen(): Promise<net.AddressInfo> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return app.server.address() as net.AddressInfo;
}

describe('GET /carriers/cloud-api/{uuid}/webhook', () => {
  const ask = (query: Record<string, string>, uuid = sender.uuid) =>
    app.inject({ url: address(uuid), query: { 'hub.mode': 'subscribe', 'hub.challenge': '<1158>', ...query } });

  it('answers the challenge, as it is, to who knows the token', async () => {
    const answer = await ask({ 'hub.verify_token': 'right' });
    assert.equal(answer.statusCode, 200);
    assert.equal(answer.body, '<1158>');
    assert.match(String(answer.headers['content-type']), /^text\/plain/);
  });

  it('403 for another token, another mode, no challenge, and values given twice', async () => {
    const wrong: Record<string, string>[] = [
      {},
      { 'hub.verify_token': '' },
      { 'hub.verify_token': 'wrong' },
      { 'hub.verify_token': 'right', 'hub.mode': 'unsubscribe' },
    ];
    for (const query of wrong) assert.equal((await ask(query)).statusCode, 403);
    for (const query of ['hub.verify_token=right', 'hub.verify_token=right&hub.challenge=1&hub.challenge=2']) {
      const answer = await app.inject({ url: `${address(sender.uuid)}?hub.mode=subscribe&${query}` });
      assert.equal(answer.statusCode, 403);
    }
  });

  it('403 where no token is set, whatever is asked with', async () => {
    assert.equal((await ask({ 'hub.verify_token': '' }, bare.uuid)).statusCode, 403);
  });

  it('404 for a sender that is not there; a malformed id is not even looked for', async () => {
    assert.equal((await ask({}, '01890000-0000-7000-8000-0000000000ff')).statusCode, 404);
    assert.equal(looked, 1);
    for (const id of ['1', 'x'.repeat(36), '%00']) assert.equal((await ask({}, id)).statusCode, 404);
    assert.equal(looked, 1);
  });
});

for (const [way, post] of Object.entries({ 'over a connection': send, 'by the route': inject })) {
  describe(`POST /carriers/cloud-api/{uuid}/webhook, ${way}`, () => {
    // Vectors computed apart from this program.
    const vectors = [
      [
        '{"object":"whatsapp_business_account","entry":[]}',
        'd6003bedf605fdf46943662e7d2065e132f4b26764d6ec946ba3fae527acafc2',
      ],
      [
        String.raw`{"t":"caf\u00e9 50\u20ac a\/b me\u0040x.example"}`,
        'b484d5019af421918aec17ca514686678e4443c25683bc88b39b42b3bd6cc80f',
      ],
    ] as const;

    it('200 with nothing in it once the bytes are kept, exactly as they came', async () => {
      for (const [body, signature] of vectors) {
        const answer = await post(body, `sha256=${signature}`);
        assert.equal(answer.statusCode, 200, answer.body);
        assert.equal(answer.body, '');
        const { sender: keptFor, carrier, body: bytes } = kept.at(-1)!;
        assert.equal(bytes.toString(), body);
        assert.equal(carrier, 'cloud-api');
        assert.equal(keptFor, sender);
      }
    });

    it('403 for the same words in other bytes, and for any other signature; nothing is kept', async () => {
      const [body, signature] = vectors[1];
      const forged = [
        await post(JSON.stringify(JSON.parse(body)), `sha256=${signature}`),
        await post(body, signatureOf('another secret', body)),
        await post(`${body} `, `sha256=${signature}`),
        await post('', `sha256=${signature}`),
      ];
      for (const answer of forged) {
        assert.equal(answer.statusCode, 403);
        assert.equal(answer.json().code, 'signature_invalid');
        assert.ok(answer.json().detail);
      }
      assert.deepEqual(kept, []);
    });

    it('401 without a signature, or with something else in its place; nothing is kept', async () => {
      const [body, signature] = vectors[0];
      const malformed = [
        undefined,
        '',
        signature,
        `sha1=${signature}`,
        `sha256=${signature.slice(1)}`,
        `sha256=${'g'.repeat(64)}`,
      ];
      for (const header of [...malformed, `sha256=${signature}, sha256=${signature}`]) {
        const answer = await post(body, header);
        assert.equal(answer.statusCode, 401, header);
        assert.equal(answer.json().code, 'signature_missing');
      }
      assert.deepEqual(kept, []);
    });

    it('403 for a sender without a secret: an empty key is everybody’s', async () => {
      const [body] = vectors[0];
      assert.equal((await post(body, signatureOf('', body), { uuid: bare.uuid })).statusCode, 403);
    });

    it('404 for a sender that is not there', async () => {
      const [body, signature] = vectors[0];
      for (const uuid of ['01890000-0000-7000-8000-0000000000ff', 'x']) {
        assert.equal((await post(body, `sha256=${signature}`, { uuid })).statusCode, 404);
      }
    });

    it('takes any type of content or none, bytes that are no text, a slash at the end, and an id in capitals', async () => {
      const bytes = Buffer.from([0xff, 0x00, 0x7b]);
      const signature = signatureOf(secret, bytes as unknown as string);
      for (const type of ['text/plain', 'application/octet-stream', 'application/json; charset=utf-8']) {
        const answer = await post(bytes, signature, { headers: { 'content-type': type } });
        assert.equal(answer.statusCode, 200, type);
      }
      const headers = { 'x-hub-signature-256': signature };
      const slashed = await app.inject({ method: 'POST', url: `${address(sender.uuid)}/`, payload: bytes, headers });
      assert.equal(slashed.statusCode, 200);
      assert.equal((await post(bytes, signature, { uuid: sender.uuid.toUpperCase() })).statusCode, 200);
      for (const { body } of kept) assert.deepEqual(body, bytes);
      assert.equal(kept.length, 5);
    });

    it('takes the largest payload of the platform, and refuses more than 4 MiB', async () => {
      const large = Buffer.alloc(3 * 1024 * 1024, 'a');
      assert.equal((await post(large, signatureOf(secret, large.toString()))).statusCode, 200);
      const tooLarge = await inject(Buffer.alloc(4 * 1024 * 1024 + 1), 'sha256=');
      assert.equal(tooLarge.statusCode, 413);
      assert.match(tooLarge.json().detail, /4 MiB/);
    });

    it('503 when it could not be kept, so that the platform tries again', async () => {
      const [body, signature] = vectors[0];
      trouble = new Error('The disk is full.');
      const answer = await post(body, `sha256=${signature}`);
      assert.equal(answer.statusCode, 503);
      assert.equal(answer.json().code, 'unavailable');
      assert.doesNotMatch(answer.body, /disk/);
    });

    it('leaves the rest of the server alone: JSON is parsed elsewhere', async () => {
      app.post('/elsewhere', async ({ body }) => ({ got: (body as { a: number }).a }));
      const answer = await app.inject({ method: 'POST', url: '/elsewhere', payload: { a: 1 } });
      assert.deepEqual(answer.json(), { got: 1 });
    });
  });
}

describe('POST /carriers/cloud-api/{uuid}/webhook, before the router', () => {
  it('gives one body the same digest whenever it comes, and another body another one', async () => {
    for (const body of ['{"a":1}', '{"a":1}', '{"a":2}']) await send(body, signatureOf(secret, body));
    const [first, again, other] = kept.map(({ digest }) => digest.toString('hex'));
    assert.equal(first, again);
    assert.notEqual(first, other);
  });

  it('a body that comes in pieces is kept whole; one that breaks off is not kept, and the next request is answered', async () => {
    const { port } = await listen();
    const body = '{"entry":["é"]}';
    const head = [
      `POST ${address(sender.uuid)} HTTP/1.1`,
      'Host: x',
      `X-Hub-Signature-256: ${signatureOf(secret, body)}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    const bytes = Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
    const whole = net.connect(port, '127.0.0.1');
    const broken = net.connect(port, '127.0.0.1');
    for (const byte of bytes.subarray(0, -1)) {
      await new Promise((written) => whole.write(Buffer.from([byte]), written));
    }
    await new Promise((written) => broken.write(bytes.subarray(0, -1), written));
    broken.resetAndDestroy();
    whole.write(bytes.subarray(-1));
    assert.match(String((await once(whole, 'data'))[0]), /^HTTP\/1\.1 200 OK\r\n/);
    whole.destroy();
    assert.deepEqual(
      kept.map((payload) => payload.body.toString()),
      [body],
    );
    assert.equal((await send('{}', signatureOf(secret, '{}'))).statusCode, 200);
  });

  it('chunked bodies go to the route, and bodies in another encoding are not kept', async () => {
    const { port } = await listen();
    const ask = async (...fields: string[]): Promise<string> => {
      const socket = net.connect(port, '127.0.0.1');
      const signature = `X-Hub-Signature-256: ${signatureOf(secret, '{}')}`;
      const head = [`POST ${address(sender.uuid)} HTTP/1.1`, 'Host: x', signature, ...fields];
      socket.write(`${head.join('\r\n')}\r\n\r\n`);
      socket.write(fields[0]!.startsWith('Transfer') ? '2\r\n{}\r\n0\r\n\r\n' : '{}');
      const [answer] = await once(socket, 'data');
      socket.destroy();
      return String(answer);
    };
    assert.match(await ask('Transfer-Encoding: chunked'), /^HTTP\/1\.1 200 /);
    assert.equal(kept.length, 1);
    assert.doesNotMatch(await ask('Content-Length: 2', 'Content-Encoding: gzip'), /x-request-id/);
  });
});

describe('With the platform at the other end', () => {
  it('the handshake succeeds, its webhooks are kept byte for byte, and come again until they are', async () => {
    const simulator = await startCloudSimulator({ appSecret: secret, speed: 1000 });
    try {
      const url = (await app.listen({ host: '127.0.0.1', port: 0 })) + address(sender.uuid);
      await assert.rejects(simulator.setWebhook(url, 'wrong'));
      await simulator.setWebhook(url, 'right');
      trouble = new Error('Not yet.');
      simulator.person('+34600111222').writes('¿café/té @ 5€? 😀');
      await until(() => simulator.webhooks.deliveries.length > 0);
      assert.equal(simulator.webhooks.deliveries[0]!.status, 503);
      assert.equal(kept.length, 0);
      trouble = undefined;
      simulator.advance(86_400_000);
      await simulator.idle();
      assert.equal(kept.length, 1);
      const text = kept[0]!.body.toString();
      assert.equal(text, simulator.webhooks.deliveries[0]!.body);
      assert.equal(text, platformJson(JSON.parse(text)));
      assert.notEqual(text, JSON.stringify(JSON.parse(text)));
    } finally {
      await simulator.close();
    }
  });
});
