import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, afterEach, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { makeInbox } from '../../src/domains/inbound/index.ts';
import { startJobs } from '../../src/domains/jobs/index.ts';
import { findTenantTables } from '../../src/platform/db/tenant-tables.ts';
import { newId } from '../../src/platform/ids.ts';
import { startTestApp, type TestApp } from '../kit/app.ts';
import { until } from '../kit/until.ts';
import { giveEverything, sender, spellings } from './stage.ts';

const addressOf = (number: string) => `/v2/people/${encodeURIComponent(number)}/`;
const template = { template_name: 'welcome' };

describe('DELETE /v2/people/{number}/', { timeout: 1_800_000 }, () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ ROLES: 'api,connector,worker' });
  });
  after(() => app.close());

  const erase = async (number: string, token = app.token) => {
    const { status, body } = await app.call('DELETE', addressOf(number), undefined, { token });
    assert.deepEqual([status, body.type], [202, 'people.erase']);
    return body.id as string;
  };
  const ended = (id: string) =>
    until(
      async () => {
        await app.deps.db.updateTable('jobs').set({ due_at: sql`now()` }).where('uuid', '=', id).execute();
        return (await app.call('GET', `/v3/jobs/${id}/`)).body;
      },
      ({ finished }) => finished !== null,
    );
  const known = async (number: string, token = app.token) =>
    (await app.call('GET', addressOf(number), undefined, { token })).body;
  /** Tables in which an account has rows that name a number, however it is written. */
  async function tablesNaming(accountId: string, number: string): Promise<string[]> {
    const naming: string[] = [];
    for (const table of await findTenantTables(app.deps.db)) {
      const { rows } = await sql`
        select from ${sql.table(table)} as row where account_id = ${accountId}
          and regexp_replace(row::text, '\\D', '', 'g') like ${`%${number.slice(-9)}%`} limit 1`.execute(app.deps.db);
      if (rows.length > 0) naming.push(table);
    }
    return naming;
  }
  const send = {
    SMS: (to: string) => app.call('POST', '/v2/send-sms/', { from: 'Parley', to, text: 'Hello' }),
    chat: (to: string) =>
      app.call('POST', '/v2/chatapp/messages/', {
        chatapp_number: sender,
        to_chatapp_number: to,
        type: 'TEMPLATE',
        template,
      }),
    voice: (to: string) => app.call('POST', '/v2/voice/calls/', { from: '+442079460000', to, tts: 'Hello' }),
  };
  const assertRefused = async (numbers: string[], when: string) => {
    for (const [channel, sending] of Object.entries(send)) {
      for (const number of numbers) {
        const { status, body } = await sending(number);
        assert.deepEqual([status, body.code], [400, 'recipient_opted_out'], `${channel} to ${number} ${when}`);
      }
    }
  };
  const writes = (number: string, text: string) =>
    makeInbox(app.deps).receive(app.accountId, 'sandbox', [
      {
        kind: 'message',
        sender: { number: sender },
        id: newId(),
        from: { number, userId: null },
        name: 'Ana',
        type: 'TEXT',
        content: { text: { body: text } },
        context: {},
        at: new Date(),
      },
    ]);

  it('leaves no row that names the person, no recording, counters, the opt-out as a hash, and a receipt', async () => {
    const number = '+447700900123';
    const other = (await app.call('POST', '/v2/accounts/', { name: 'Other' })).body.uuid;
    const otherToken = (await app.call('POST', `/v2/accounts/${other}/tokens/`, {})).body.token;
    const { file, list } = await giveEverything(app, app.accountId, app.token, number);
    const { file: otherFile } = await giveEverything(app, other, otherToken, number);
    const url = 'http://127.0.0.1:9/';
    await app.call('POST', '/v2/chatapp/webhooks/', { url, events: ['optout.changed'] });
    const members = async () => (await app.call('GET', `/v2/lists/${list}/`)).body;
    const before = await known(number);
    const ofOther = await known(number, otherToken);
    await assertRefused(spellings, 'before');
    const naming = await tablesNaming(app.accountId, number);
    const expected = [
      'calls',
      'chat_people',
      'contacts',
      'events',
      'intro_sessions',
      'leads',
      'messages',
      'opt_outs',
      'sms',
    ];
    assert.deepEqual(
      expected.filter((table) => !naming.includes(table)),
      [],
      'it is there before',
    );

    const job = await ended(await erase('07700 900123'));
    assert.equal(job.status, 'SUCCEEDED', job.reason);
    assert.deepEqual(job.progress.done, job.progress.total);
    for (const kind of ['messages', 'sms', 'calls', 'sessions', 'leads', 'contacts', 'conversations', 'opt_outs']) {
      assert.equal(job.result[kind], before.counts[kind], kind);
    }
    await assertRefused(spellings, 'after');

    const erased = await known(number);
    const { opt_outs, opt_out_events, ...rest } = erased.counts;
    assert.deepEqual([opt_outs, opt_out_events], [1, 1]);
    assert.ok(
      Object.values(rest).every((count) => count === 0),
      JSON.stringify(rest),
    );
    assert.deepEqual(
      [erased.names, erased.newest.opt_outs[0].phone_number, erased.newest.opt_outs[0].text],
      [[], '', ''],
    );
    const [receipt] = erased.erasures;
    assert.equal(receipt.job, job.id);
    assert.equal(receipt.by.name, 'First token');
    assert.equal(receipt.counts.messages, before.counts.messages);
    assert.equal((await members()).member_count ?? 0, 0);

    assert.ok(!existsSync(file));
    // The phones of the sandbox are its own; nobody lives there.
    const left = (await tablesNaming(app.accountId, number)).filter((table) => !table.startsWith('sandbox_'));
    assert.deepEqual(left, []);

    assert.deepEqual(await known(number, otherToken), ofOther, 'another account knows what it knew');
    assert.ok(existsSync(otherFile));
    const audited = await app.deps.db
      .selectFrom('audit_log')
      .select('path')
      .where('operation', '=', 'erasePerson')
      .execute();
    assert.deepEqual(audited, [{ path: '/v2/people/…/' }]);
  });

  it('a campaign passes over somebody who was erased, and imported again since', async () => {
    const number = '+447700900777';
    await app.call('POST', '/v2/opt-outs/', { phone_number: number });
    await ended(await erase(number));
    const list = (await app.call('POST', '/v2/lists/', { name: 'Again' })).body.uuid;
    await app.call('POST', '/v2/contacts/', { phone_number: number, lists: [list] });
    const fields = { name: 'Spring', channel: 'SMS', sender: 'Parley', text: 'Hello', lists: [list] };
    const { uuid } = (await app.call('POST', '/v2/campaigns/', fields)).body;
    const log = (await app.call('POST', `/v2/campaigns/${uuid}/launch/`, {})).body.uuid;
    await until(async () => (await app.call('GET', `/v2/campaign-logs/${log}/`)).body.status === 'COMPLETED');
    assert.equal((await known(number)).counts.sms, 0);
    const { reason } = await app.deps.db
      .selectFrom('campaign_recipients')
      .select('reason')
      .where('campaign_log', '=', log)
      .executeTakeFirstOrThrow();
    assert.match(reason, /opted.out/i);
  });

  it('START of the person lifts it, STOP counts again, and a second erasure keeps one hash', async () => {
    const number = '+447700900778';
    await writes(number, 'STOP');
    await until(async () => (await known(number)).counts.opt_outs === 1);
    await ended(await erase(number));
    assert.equal((await send.chat(number)).status, 400);
    await writes(number, 'START');
    await until(async () => (await known(number)).counts.opt_outs === 0);
    assert.equal((await send.chat(number)).status, 201);
    await writes(number, 'STOP');
    await until(async () => (await known(number)).counts.opt_outs === 1);
    await ended(await erase(number));
    await writes(number, 'STOP');
    await until(async () => (await known(number)).counts.opt_outs === 2);
    await ended(await erase(number));
    const { counts, erasures } = await known(number);
    assert.deepEqual([counts.opt_outs, erasures.length], [1, 3]);
    assert.equal((await send.chat(number)).status, 400);
  });

  it('what waits to leave is cancelled and does not leave', async () => {
    const number = '+447700900779';
    const send_at = new Date(Date.now() + 3_600_000).toISOString();
    const { body } = await app.call('POST', '/v2/send-sms/', { from: 'Parley', to: number, text: 'Later', send_at });
    assert.equal((await ended(await erase(number))).result.sms, 1);
    assert.equal((await app.call('GET', `/v2/sms-records/${body.uuid}/`)).status, 404);
    assert.deepEqual(
      (await tablesNaming(app.accountId, number)).filter((table) => !table.startsWith('sandbox_')),
      [],
    );
  });

  it('somebody who did not opt out may be written to later; of somebody unknown nothing goes', async () => {
    const number = '+447700900780';
    await app.call('POST', '/v2/contacts/', { phone_number: number });
    await ended(await erase(number));
    assert.equal((await send.SMS(number)).status, 201);
    const job = await ended(await erase('+447700900781'));
    assert.ok(Object.values(job.result).every((count) => count === 0));
  });

  it('403 without the scope, and it is no job that can be submitted', async () => {
    const { token } = (await app.call('POST', '/v2/auth/tokens/', { name: 'Reader', scopes: ['people:read'] })).body;
    assert.equal((await app.call('DELETE', addressOf('+447700900123'), undefined, { token })).status, 403);
    const submitted = await app.call('POST', '/v3/jobs/', { type: 'people.erase', input: { digits: '1' } });
    assert.deepEqual([submitted.status, Object.keys(submitted.body)], [400, ['type']]);
  });
});

/** Tables with columns of numbers: those of people, which an erasure goes through, and those of the account's own side. */
const ofPeople = [
  ...['callback_watches', 'calls', 'campaign_recipients', 'chat_people', 'contacts', 'intro_notices', 'intro_sessions'],
  ...[
    'leads',
    'links',
    'messages',
    'number_callers',
    'opt_outs',
    'pair_rates',
    'person_erasures',
    'reply_watches',
    'sms',
  ],
  ...['sms_early_receipts', 'sms_inbound_parts'],
];
const ofOwnSide = [
  ...['agents', 'chat_intros', 'chatapp_accounts', 'flows', 'number_traffic', 'numbers', 'routing_configs'],
  ...['routing_numbers', 'sandbox_calls', 'sandbox_flows', 'sandbox_holds', 'sandbox_legs', 'sandbox_messages'],
  ...['sandbox_templates'],
];

it('every table with a column of numbers is known to be of people or of the own side', async () => {
  const app = await startTestApp({ ROLES: 'api' });
  try {
    const tables = await findTenantTables(app.deps.db);
    const { rows } = await sql<{ table: string }>`
      select distinct relname as table from pg_class join pg_attribute on attrelid = pg_class.oid
      where relname = any (${tables}::text[]) and relkind in ('r', 'p')
        and attname ~ 'digits|phone|caller|^person$|_number$|^number' and not attisdropped`.execute(app.deps.db);
    // Whoever adds a table says here whose numbers it has, and lets `people.erase` go through it if they are people's.
    assert.deepEqual(rows.map(({ table }) => table).toSorted(), [...ofPeople, ...ofOwnSide].toSorted());
  } finally {
    await app.close();
  }
});

describe('An erasure that is interrupted', { timeout: 1_800_000 }, () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ ROLES: 'api' });
  });
  after(() => app.close());
  const started: { stop(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const jobs of started.splice(0)) await jobs.stop();
  });

  it('goes on where it was; the person is refused all the while, and there is one receipt with all counts', async () => {
    const number = '+447700900123';
    const { db } = app.deps;
    for (let at = 0; at < 3; at++) {
      await app.call('POST', '/v2/chatapp/leads/', { chatapp_number: sender, phone_number: number, name: `Ana ${at}` });
    }
    await app.call('POST', '/v2/send-sms/', { from: 'Parley', to: number, text: 'Hello' });
    await app.call('POST', '/v2/opt-outs/', { phone_number: number });
    const { id } = (await app.call('DELETE', addressOf(number))).body;
    assert.equal(
      (await app.call('DELETE', addressOf('07700 900123'))).body.id,
      id,
      'asked for again it is the same job',
    );
    // Somebody has a lead in hand: the job comes so far, and is told to stop there.
    const held = Promise.withResolvers<void>();
    const holding = db.transaction().execute(async (db) => {
      await sql`select from leads where account_id = ${app.accountId} for update`.execute(db);
      await held.promise;
    });
    const first = startJobs(app.deps);
    started.push(first);
    const job = async () => (await app.call('GET', `/v3/jobs/${id}/`)).body;
    await until(job, ({ progress }) => progress.done >= 5);
    const refused = await app.call('POST', '/v2/send-sms/', { from: 'Parley', to: number, text: 'Hello' });
    assert.equal(refused.status, 400);
    const stopped = first.stop();
    held.resolve();
    await Promise.all([holding, stopped]);
    assert.equal((await job()).finished, null);
    // As a process leaves it that dies: nobody holds the lock of that worker.
    await db.updateTable('jobs').set({ claimed_by: 12_345 }).where('uuid', '=', id).execute();
    started.push(startJobs(app.deps));
    const done = await until(job, ({ finished }) => finished !== null);
    assert.deepEqual([done.status, done.result.leads, done.result.sms], ['SUCCEEDED', 3, 1], done.reason);
    const { erasures, counts } = (await app.call('GET', addressOf(number))).body;
    assert.deepEqual([erasures.length, erasures[0].counts.leads, counts.leads, counts.opt_outs], [1, 3, 0, 1]);
    const row = await db.selectFrom('jobs').select('input').where('uuid', '=', id).executeTakeFirstOrThrow();
    assert.equal(row.input, null, 'the job forgets the number');
  });
});
