// Whoever follows the events goes on at another host when the first is killed.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../kit/database.ts';
import { until } from '../../kit/until.ts';
import { type Client, makeClient } from '../client.ts';
import { type Hosts, hostsToken, makeHosts } from '../hosts.ts';

interface Told {
  id: string;
  kind: string;
  subject: string;
}

describe('Events of two hosts', { timeout: 1_800_000 }, () => {
  let database: TestDatabase;
  let all: Hosts;
  let client: Client;
  before(async () => {
    database = await createTestDatabase();
    all = await makeHosts(['one', 'two'], { DATABASE_URL: database.url });
    client = makeClient(all.urls, hostsToken);
    await Promise.all(all.hosts.map((host) => host.start()));
  });
  after(async () => {
    await all?.stop();
    await database?.drop();
  });

  const send = async (n: number): Promise<string> => {
    const body = { from: '+447700900900', to: `+4410000${n}1111`, text: `Number ${n}` };
    return (await client.send('POST', '/v2/send-sms/', body, `sms ${n}`)).uuid;
  };

  /** Reads until the stream ends, or it is told to leave. */
  const follow = async (url: string, told: Told[], last?: string) => {
    const leaving = new AbortController();
    const answer = await fetch(`${url}/v2/events/stream/`, {
      headers: { authorization: `Token ${hostsToken}`, ...(last !== undefined && { 'last-event-id': last }) },
      signal: leaving.signal,
    });
    assert.equal(answer.status, 200);
    const reading = (async () => {
      let text = '';
      for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
        const parts = (text + chunk).split('\n\n');
        text = parts.pop()!;
        for (const part of parts) {
          const [, id] = /^id: (.*)$/m.exec(part) ?? [];
          const [, data] = /^data: (.*)$/m.exec(part) ?? [];
          if (id && data) told.push({ id, kind: JSON.parse(data).kind, subject: JSON.parse(data).subject });
        }
      }
    })().catch(() => {});
    return {
      async leave() {
        leaving.abort();
        await reading;
      },
      ended: reading,
    };
  };

  it('are told by the other one from where the first one ended, each once', async () => {
    const [one, two] = all.hosts as [Hosts['hosts'][number], Hosts['hosts'][number]];
    const told: Told[] = [];
    const first = await follow(one.url, told);
    const sent = [await send(1000), await send(1001), await send(1002)];
    const isOver = (uuid: string) => told.some(({ kind, subject }) => kind === 'sms.delivered' && subject === uuid);
    await until('the first ones are told', () => sent.every(isOver));
    await one.kill();
    await first.ended;
    sent.push(await send(1003), await send(1004));
    const second = await follow(two.url, told, told.at(-1)!.id);
    sent.push(await send(1005));
    await until('all are told', () => sent.every(isOver));
    await second.leave();
    const steps = (uuid: string) => told.filter(({ subject }) => subject === uuid).map(({ kind }) => kind);
    for (const uuid of sent) assert.deepEqual(steps(uuid), ['sms.queued', 'sms.sent', 'sms.delivered']);
    assert.equal(new Set(told.map(({ id }) => id)).size, told.length);
  });
});
