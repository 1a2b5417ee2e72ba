import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { newId } from '../../platform/ids.ts';
import { appendEvents } from './index.ts';
import { frames } from './stream.ts';
import { mayFollow } from './stream-serve.ts';

const path = '/v2/events/stream/';
const limit = { timeout: 1_800_000 };

let app: TestApp;
let origin: string;
before(async () => {
  app = await startTestApp();
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  origin = `http://127.0.0.1:${(app.app.server.address() as AddressInfo).port}`;
});
after(() => app.close());

interface Frame {
  event: string;
  id: string;
  data: { uuid: string; kind: string; subject: string };
}

/** An open stream. `next` waits for that many events. */
async function listen(query = '', headers: Record<string, string> = {}) {
  // Not `fetch`, which opens another connection when one is given up.
  const request = http.get(`${origin}${path}${query}`, {
    headers: { authorization: `Token ${app.token}`, ...headers },
  });
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
  assert.equal(answer.statusCode, 200);
  assert.match(answer.headers['content-type']!, /^text\/event-stream/);
  const chunks = answer.setEncoding('utf8')[Symbol.asyncIterator]();
  const waiting: Frame[] = [];
  let text = '';
  const read = async (): Promise<boolean> => {
    const { value, done } = await chunks.next();
    text += value ?? '';
    const parts = text.split('\n\n');
    text = parts.pop()!;
    for (const part of parts) {
      const fields = Object.fromEntries(part.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)));
      if (fields['id']) waiting.push({ ...fields, data: JSON.parse(fields['data']) } as Frame);
    }
    return !done;
  };
  await read();
  return {
    async next(count: number): Promise<Frame[]> {
      while (waiting.length < count) assert.ok(await read(), 'the stream goes on');
      return waiting.splice(0, count);
    },
    async ended(): Promise<boolean> {
      while (await read());
      return true;
    },
    leave: () => request.destroy(),
  };
}

const happen = (kind: string, subject = newId(), db = app.deps.db) =>
  appendEvents(db, [{ accountId: app.accountId, subjectType: 'number', subject, kind, data: { number: '+1' } }]);

describe(`GET ${path}`, limit, () => {
  it('tells a message’s steps as they happen, in order, each once', async () => {
    const stream = await listen();
    const sent = await app.call('POST', '/v2/chatapp/messages/', {
      chatapp_number: '+447700900001',
      to_chatapp_number: '+447700900123',
      type: 'TEMPLATE',
      template: { template_name: 'welcome' },
    });
    const steps: Frame[] = [];
    while (steps.at(-1)?.event !== 'message.read') {
      const [frame] = await stream.next(1);
      if (frame!.data.subject === sent.body.uuid) steps.push(frame!);
    }
    assert.deepEqual(
      steps.map(({ event }) => event),
      ['message.queued', 'message.sent', 'message.delivered', 'message.read'],
    );
    assert.deepEqual(Object.keys(steps[0]!.data), ['uuid', 'kind', 'subject_type', 'subject', 'data', 'at']);
    for (const { id, event, data } of steps) assert.deepEqual([id, event], [data.uuid, data.kind]);
    stream.leave();
  });

  it('tells somebody without account:read of what their scopes let them read, and of nothing else', async () => {
    const made = await app.call('POST', '/v2/auth/tokens/', { name: 'Numbers', scopes: ['number:read'] });
    const stream = await listen('', { authorization: `Token ${made.body.token}` });
    const append = (subjectType: 'call' | 'message' | 'number', kind: string) =>
      appendEvents(app.deps.db, [{ accountId: app.accountId, subjectType, subject: newId(), kind }]);
    await append('call', 'call.started');
    await append('message', 'message.sent');
    await append('number', 'number.assigned');
    await append('call', 'call.ended');
    await append('number', 'number.released');
    const heard = await stream.next(2);
    assert.deepEqual(
      heard.map(({ event }) => event),
      ['number.assigned', 'number.released'],
    );
    stream.leave();
  });

  it('knows for every type of subject whose it is', () => {
    const kinds = ['message', 'audio_file', 'campaign_log', 'contact', 'job', 'opt_out', 'sms_link', 'webhook'];
    for (const kind of kinds) {
      assert.equal(mayFollow(['read'], kind), true, kind);
      assert.equal(mayFollow([], kind), false, kind);
    }
    assert.equal(mayFollow(['chatapp:read'], 'message'), true);
    assert.equal(mayFollow(['chatapp:write'], 'message'), false);
    assert.equal(mayFollow(['sms:read'], 'message'), false);
    assert.equal(mayFollow(['account:read'], 'message'), true);
    assert.equal(mayFollow(['chatapp:read'], 'something new'), false);
  });

  it('resumes after an event, by header or by address, with exactly those that follow, however many', async () => {
    const first = await listen();
    const subject = newId();
    await happen('number.assigned', subject);
    const [seen] = await first.next(1);
    first.leave();
    for (let round = 0; round < 30; round++) {
      await appendEvents(
        app.deps.db,
        Array.from({ length: 50 }, () => ({
          accountId: app.accountId,
          subjectType: 'number' as const,
          subject,
          kind: 'number.updated',
        })),
      );
    }
    const resumed = [
      await listen('', { 'last-event-id': seen!.id }),
      await listen(`?after=${seen!.id.toUpperCase()}`),
      await listen(`?after=${newId()}`, { 'last-event-id': seen!.id }),
    ];
    for (const stream of resumed) {
      const missed = await stream.next(1500);
      assert.deepEqual(new Set(missed.map(({ event }) => event)), new Set(['number.updated']));
      const ids = missed.map(({ id }) => id);
      assert.deepEqual([new Set(ids).size, ids], [1500, ids.toSorted()]);
    }
    await happen('number.released', subject);
    for (const stream of resumed) {
      assert.equal((await stream.next(1))[0]!.event, 'number.released');
      stream.leave();
    }
  });

  it('tells an event whose transaction took longer than that of a later one', async () => {
    const stream = await listen();
    const subject = newId();
    const mayCommit = Promise.withResolvers<void>();
    const early = app.deps.db.transaction().execute(async (db) => {
      await happen('number.assigned', subject, db);
      await mayCommit.promise;
    });
    await happen('number.updated', subject);
    assert.equal((await stream.next(1))[0]!.event, 'number.updated');
    mayCommit.resolve();
    await early;
    assert.equal((await stream.next(1))[0]!.event, 'number.assigned');
    await happen('number.released', subject);
    assert.equal((await stream.next(1))[0]!.event, 'number.released', 'and nothing twice');
    stream.leave();
  });

  it('resumes after an event with one that was made before it and is committed only now', async () => {
    const first = await listen();
    const subject = newId();
    const mayCommit = Promise.withResolvers<void>();
    const early = app.deps.db.transaction().execute(async (db) => {
      await happen('number.assigned', subject, db);
      await mayCommit.promise;
    });
    await happen('number.updated', subject);
    const [seen] = await first.next(1);
    assert.equal(seen!.event, 'number.updated');
    first.leave();
    const resumed = await listen('', { 'last-event-id': seen!.id });
    mayCommit.resolve();
    await early;
    assert.equal((await resumed.next(1))[0]!.event, 'number.assigned');
    await happen('number.released', subject);
    assert.equal((await resumed.next(1))[0]!.event, 'number.released', 'and nothing twice');
    resumed.leave();
  });

  it('tells one account nothing of another', async () => {
    const stream = await listen('', { authorization: `Token ${app.otherToken}` });
    await happen('number.assigned');
    const theirs = await app.call('POST', '/v2/number/', { country_code: 'GB' }, { token: app.otherToken });
    assert.equal(theirs.status, 201);
    const [only] = await stream.next(1);
    assert.deepEqual((only!.data as unknown as { data: object }).data, { number: theirs.body.number });
    stream.leave();
  });

  it('401, 405 as everywhere; 400 for what is no id; HEAD ends; 429 for too many', async () => {
    const call = (method: string, query = '', headers: Record<string, string> = {}) =>
      fetch(`${origin}${path}${query}`, { method, headers: { authorization: `Token ${app.token}`, ...headers } });
    assert.equal((await fetch(`${origin}${path}`)).status, 401);
    const wrong = await call('POST');
    assert.deepEqual([wrong.status, wrong.headers.get('allow')], [405, 'GET, HEAD']);
    const badAddress = await call('GET', '?after=yesterday');
    assert.deepEqual([badAddress.status, await badAddress.json()], [400, { after: ['Must be a valid UUID.'] }]);
    const badHeader = await call('GET', '', { 'last-event-id': '7' });
    assert.deepEqual([badHeader.status, Object.keys((await badHeader.json()) as object)], [400, ['Last-Event-ID']]);
    assert.equal((await call('HEAD')).status, 200);
    const streams = [];
    for (let open = 0; open < 20; open++) streams.push(await listen());
    const refused = await call('GET');
    assert.equal(refused.status, 429);
    assert.match(refused.headers.get('content-type')!, /json/);
    for (const stream of streams) stream.leave();
    let status: number | undefined = 429;
    while (status === 429) {
      const request = http.get(`${origin}${path}`, { headers: { authorization: `Token ${app.token}` } });
      const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
      status = answer.statusCode;
      request.destroy();
    }
    assert.equal(status, 200, 'who left makes room');
  });
});

describe('the text of the stream', limit, () => {
  const open = (options: Partial<Parameters<typeof frames>[2]>) =>
    frames(app.deps.db, app.accountId, {
      after: undefined,
      signal: new AbortController().signal,
      mayRead: async () => true,
      cutOff: () => {},
      ...options,
    });

  it('has a comment now and then while nothing happens', async () => {
    const text = open({ heartbeatMs: 1 });
    assert.equal((await text.next()).value, 'retry: 2000\n\n');
    for (let frame = await text.next(); ; frame = await text.next()) if (frame.value === ': nothing new\n\n') break;
    await text.return(undefined);
  });

  it('ends when the token is no longer good, and when it is told to', async () => {
    const revoked = open({ heartbeatMs: 1, mayRead: async () => false });
    assert.equal((await Array.fromAsync(revoked)).length, 1);
    const closing = new AbortController();
    const closed = Array.fromAsync(open({ signal: closing.signal }));
    closing.abort();
    assert.equal((await closed)[0], 'retry: 2000\n\n');
  });

  it('is cut off when nobody takes it', async () => {
    const cut = Promise.withResolvers<void>();
    const text = open({ patienceMs: 1, cutOff: cut.resolve });
    await text.next();
    const next = text.next();
    await happen('number.assigned');
    await next;
    await cut.promise;
    await text.return(undefined);
  });
});

it('a server that closes ends its streams first', limit, async () => {
  const stream = await listen();
  const closed = app.app.close();
  assert.ok(await stream.ended());
  await closed;
});
