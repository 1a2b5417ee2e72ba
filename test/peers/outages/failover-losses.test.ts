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

const [from, to, other] = ['+447700900900', '+447700900901', '+447700900902'];

/** One of each kind: messages and SMS, which are traffic, and changes, which are in the audit log. */
async function send(contact: string, list: string) {
  const template = { template_name: 'welcome' };
  const message = { chatapp_number: from, to_chatapp_number: to, type: 'TEMPLATE', template };
  const answers = [
    await call('POST', '/v2/chatapp/messages/', message),
    await call('POST', '/v2/send-sms/', { from, to, text: 'Hello' }),
    await call('POST', '/v2/send-sms/multiple/', { from, to: [to, other], text: 'Hello' }),
    await call('PATCH', `/v2/contacts/${contact}/`, { name: 'Олена' }),
    await call('POST', '/v2/lists/', { name: list }),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201, 200, 201],
  );
  const [one, sms, several, , made] = answers.map(({ body }) => body);
  return {
    message: one.uuid,
    sms: [sms, ...several.results].map(({ uuid }) => uuid).toSorted(),
    list: made.uuid,
  };
}

interface Report {
  data: { table: string; uuids: string[]; changes?: object[] };
}

it('what a standby did not have when it took over is reported, by its ids or as a change, and nothing else is', async () => {
  const { uuid: contact } = (await call('POST', '/v2/contacts/', { name: 'Olena', phone_number: to })).body;
  const kept = await send(contact, 'Kept');
  await until('the standby has all', async () => {
    const [{ count }] = await pair.standby.query(
      `select count(*)::int from (select uuid from messages union all select uuid from sms union all
        select uuid from lists) as all_of_them where uuid = any ($1::uuid[])`,
      [[kept.message, ...kept.sms, kept.list]],
    );
    return count === 5;
  });
  await pair.leaveStandbyBehind();
  const lost = await send(contact, 'Lost');
  await pair.failOver();
  const reports = await until(
    async () => {
      const { status, body } = await call('GET', '/v2/events/?kind=account.data_lost');
      return status === 200 ? body.results : [];
    },
    (found: unknown[]) => found.length === 3,
  );
  const named = Object.fromEntries(
    (reports as Report[]).map(({ data }) => [data.table, data.changes ?? data.uuids.toSorted()]),
  );
  assert.deepEqual(named, {
    messages: [lost.message],
    sms: lost.sms,
    audit_log: [
      { operation: 'updateContact', path: `/v2/contacts/${contact}/` },
      { operation: 'createList', path: '/v2/lists/', uuid: lost.list },
    ],
  });
  assert.equal((await call('GET', `/v2/chatapp/messages/${lost.message}/`)).status, 404);
  assert.equal((await call('GET', `/v2/chatapp/messages/${kept.message}/`)).status, 200);
  const metrics = await (await fetch(new URL('/metrics', await parley.ready()))).text();
  assert.match(metrics, /^parley_lost_in_failover_total\{table="messages"\} 1$/m);
});
