import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { after, describe, it } from 'node:test';
import { pino } from 'pino';
import { until } from '../../../../test/kit/until.ts';
import { CarrierRefusal } from '../../ports/carriers.ts';
import { makeGraph, NoAnswer } from './client.ts';

const undo: (() => unknown)[] = [];
after(() => Promise.all(undo.map((step) => step())));

interface Seen {
  method: string | undefined;
  url: string | undefined;
  headers: Record<string, unknown>;
  body: string;
}

/** A platform that answers so, and a client of it. */
async function platform({
  path = '',
  timeoutMs = 5_000,
  listener,
}: {
  path?: string;
  timeoutMs?: number;
  listener?: RequestListener;
} = {}) {
  const seen: Seen[] = [];
  const server = createServer(async (request, answer) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method, url, headers } = request;
    seen.push({ method, url, headers, body: Buffer.concat(chunks).toString('latin1') });
    if (listener) listener(request, answer);
    else answer.end('{"ok":true}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const graph = makeGraph({ url: url + path, version: 'v26.0', timeoutMs, log: pino({ level: 'silent' }) });
  undo.push(
    () => server.closeAllConnections(),
    () => server.close(),
    () => graph.close(),
  );
  return { url, server, graph, seen };
}
const sender = { accountId: '', uuid: '', number: '', settings: { access_token: 'token-1' } };

describe('The Graph client', () => {
  it('asks with the token, under the version, and reads JSON', async () => {
    const { graph, seen } = await platform();
    const answer = await graph.call(sender, { method: 'GET', path: '12/flows', query: { limit: 2, after: 'a&b' } });
    assert.deepEqual([answer.status, answer.body], [200, { ok: true }]);
    const [{ method, url, headers } = {} as Seen] = seen;
    assert.deepEqual([method, url], ['GET', '/v26.0/12/flows?limit=2&after=a%26b']);
    assert.equal(headers.authorization, 'Bearer token-1');
  });

  it('keeps the path of the address it was given', async () => {
    const { graph, seen } = await platform({ path: '/graph' });
    await graph.call(sender, { method: 'DELETE', path: '12' });
    assert.deepEqual([seen[0]?.method, seen[0]?.url], ['DELETE', '/graph/v26.0/12']);
  });

  it('sends objects as JSON, forms as forms, bytes and streams as they are, and lets headers be replaced', async () => {
    const { graph, seen } = await platform();
    const form = new FormData();
    form.set('messaging_product', 'whatsapp');
    form.set('file', new Blob(['PIC'], { type: 'image/png' }), 'a.png');
    for (const body of [{ a: 'ñ' }, form, Buffer.from('bytes'), Readable.from(['str', 'eam'])]) {
      const headers = { authorization: 'OAuth other', file_offset: '0' };
      await graph.call(sender, { method: 'POST', path: 'x', body, headers });
    }
    const [json, multipart, bytes, stream] = seen;
    assert.equal(json?.headers['content-type'], 'application/json');
    assert.equal(Buffer.from(json?.body ?? '', 'latin1').toString(), '{"a":"ñ"}');
    assert.match(String(multipart?.headers['content-type']), /^multipart\/form-data; boundary=/);
    assert.match(multipart?.body ?? '', /name="messaging_product"\r\n\r\nwhatsapp\r\n/);
    assert.match(multipart?.body ?? '', /filename="a.png"\r\nContent-Type: image\/png\r\n\r\nPIC\r\n/);
    assert.deepEqual([bytes?.body, stream?.body], ['bytes', 'stream']);
    assert.deepEqual([stream?.headers.authorization, stream?.headers.file_offset], ['OAuth other', '0']);
  });

  it('takes any status for an answer, and what is not JSON for nothing', async () => {
    const { graph } = await platform({ listener: (_request, answer) => answer.writeHead(500).end('<html>') });
    const answer = await graph.call(sender, { method: 'GET', path: 'x' });
    assert.deepEqual([answer.status, answer.body], [500, undefined]);
  });

  it('ends an exchange whose answer trickles in for ever', async () => {
    const { graph } = await platform({
      timeoutMs: 300,
      listener: (_request, answer) => {
        const drip = setInterval(() => answer.write(' '), 20);
        answer.on('close', () => clearInterval(drip));
      },
    });
    await assert.rejects(graph.call(sender, { method: 'GET', path: 'x' }), (error: NoAnswer) => {
      assert.deepEqual([error.name, error.reached, error.message], ['NoAnswer', true, 'No answer within 0.3 seconds.']);
      return true;
    });
  });

  it('knows that a request which still waited for a connection was not received', async () => {
    const { graph, seen, server } = await platform({ timeoutMs: 600_000, listener: () => {} });
    const failed = async (more = {}): Promise<unknown> => {
      const call = graph.call(sender, { method: 'POST', path: 'x', body: {}, ...more });
      return call.then(() => undefined).catch((error: unknown) => error);
    };
    const first = Array.from({ length: 256 }, () => failed());
    const waiting = Array.from({ length: 20 }, () => failed({ timeoutMs: 200 }));
    for (const failure of await Promise.all(waiting)) {
      assert.ok(failure instanceof NoAnswer);
      assert.equal(failure.reached, false);
    }
    await until(() => seen.length >= 256);
    assert.equal(seen.length, 256);
    server.closeAllConnections();
    for (const failure of await Promise.all(first)) assert.equal((failure as NoAnswer).reached, true);
  });

  it('downloads bytes with the token, and says whether a refusal may pass', async () => {
    const bytes = Buffer.alloc(200_000, 7);
    const { graph, seen, url } = await platform({
      listener: ({ url }, answer) => {
        const status = Number(/\d+$/.exec(url ?? '')?.[0]);
        answer.writeHead(status, { 'content-type': 'image/png' }).end(status === 200 ? bytes : 'no');
      },
    });
    const file = await graph.download(sender, `${url}/file?status=200`, 5_000);
    assert.equal(file.mimeType, 'image/png');
    assert.deepEqual(Buffer.concat(await Array.fromAsync(file.bytes)), bytes);
    assert.equal(seen[0]?.headers.authorization, 'Bearer token-1');
    for (const [status, temporary] of [
      [404, true],
      [401, true],
      [503, true],
      [403, false],
      [302, false],
    ] as const) {
      const download = graph.download(sender, `${url}/file?status=${status}`, 5_000);
      const refusal: unknown = await download.then(() => undefined).catch((error: unknown) => error);
      assert.ok(refusal instanceof CarrierRefusal);
      assert.deepEqual([refusal.code, refusal.temporary], [String(status), temporary]);
    }
  });
});
