import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, it } from 'node:test';
import { type PostgresPair, startPostgresPair } from '../../kit/postgres/postgres-pair.ts';
import { type Parley, startParley } from '../../kit/program/parley-process.ts';
import { programToken } from '../../kit/program/program.ts';
import { until } from '../../kit/until.ts';

let pair: PostgresPair;
let parley: Parley;
let home: string;
before(async () => {
  pair = await startPostgresPair();
  home = await mkdtemp(path.join(os.tmpdir(), 'parley-losses-'));
  const settings = { DATABASE_URL: pair.url, BOOTSTRAP_TOKEN: programToken, SIP_PORT: '0' };
  parley = startParley(path.join(home, 'data'), settings);
  await parley.ready();
});
after(async () => {
  parley.signal('SIGTERM');
  await parley.ended;
  await pair.stop();
  await rm(home, { recursive: true, force: true });
});

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
const call = async (method: string, url: string, body?: object): Promise<{ status: number; body: any }> => {
  const answer = await fetch(new URL(url, await parley.ready()), {
    method,
    headers: { authorization: `Token ${programToken}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() };
};

async function send(): Promise<{ message: string; sms: string }> {
  const [from, to] = ['+447700900900', '+447700900901'];
  const template = { template_name: 'welcome' };
  const message = { chatapp_number: from, to_chatapp_number: to, type: 'TEMPLATE', template };
  const answers = [
    await call('POST', '/v2/chatapp/messages/', message),
    await call('POST', '/v2/send-sms/', { from, to, text: 'Hello' }),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201],
  );
  return { message: answers[0]!.body.uuid, sms: answers[1]!.body.uuid };
}

it('what a standby did not have when it took over is reported, by its ids, and nothing else is', async () => {
  const kept = await send();
  await until('the standby has both', async () => {
    const [{ count }] = await pair.standby.query(
      'select count(*)::int from (select uuid from messages union all select uuid from sms) as all_of_them where uuid in ($1, $2)',
      [kept.message, kept.sms],
    );
    return count === 2;
  });
  await pair.leaveStandbyBehind();
  const lost = await send();
  await pair.failOver();
  const reports = await until(
    async () => {
      const { status, body } = await call('GET', '/v2/events/?kind=account.data_lost');
      return status === 200 ? body.results : [];
    },
    (found: unknown[]) => found.length === 2,
  );
  const named = Object.fromEntries(
    (reports as { data: { table: string; uuids: string[] } }[]).map(({ data }) => [data.table, data.uuids]),
  );
  assert.deepEqual(named, { messages: [lost.message], sms: [lost.sms] });
  assert.equal((await call('GET', `/v2/chatapp/messages/${lost.message}/`)).status, 404);
  assert.equal((await call('GET', `/v2/chatapp/messages/${kept.message}/`)).status, 200);
  const metrics = await (await fetch(new URL('/metrics', await parley.ready()))).text();
  assert.match(metrics, /^parley_lost_in_failover_total\{table="messages"\} 1$/m);
});
