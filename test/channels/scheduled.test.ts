// What is due later is not looked at before, and leaves when its moment has come, by whichever clock.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import {
  pauseLaunch as pauseMessages,
  resumeLaunch as resumeMessages,
  sendMessages,
} from '../../src/domains/messages/index.ts';
import { pauseLaunch as pauseSms, resumeLaunch as resumeSms, sendSmsAll } from '../../src/domains/sms/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { within } from '../../src/platform/within.ts';
import { queueLooks } from '../../src/upkeep/queues.ts';
import { startTestApp, type TestApp } from '../kit/app.ts';
import { until } from '../kit/until.ts';

const from = '+447700900001';
const person = '+447700900123';
const hourMs = 3_600_000;
const inHours = (hours: number): string => new Date(Date.now() + hours * hourMs).toISOString();

let app: TestApp;
let accountId: string;
let token: string;
before(async () => {
  app = await startTestApp();
});
after(() => app.close());
const openAccount = async (): Promise<void> => {
  accountId = (await app.call('POST', '/v2/accounts/', { name: 'Harbour' })).body.uuid;
  token = (await app.call('POST', `/v2/accounts/${accountId}/tokens/`, {})).body.token;
};
beforeEach(openAccount);

const mine = async (method: 'POST' | 'DELETE', url: string, body?: object) => {
  const answer = await app.call(method, url, body, { token });
  assert.ok(answer.status < 300, `${method} ${url} ${JSON.stringify(answer.body)}`);
  return answer.body;
};
const uuidOf = ([result]: PromiseSettledResult<{ uuid: string }>[]): string => {
  assert.equal(result?.status, 'fulfilled', JSON.stringify(result));
  return (result as PromiseFulfilledResult<{ uuid: string }>).value.uuid;
};

const chatRequest = (to: string, send_at?: string) => ({
  chatapp_number: from,
  to_chatapp_number: to,
  type: 'TEMPLATE' as const,
  template: { template_name: 'welcome' },
  ...(send_at !== undefined && { send_at }),
});
const smsRequest = (to: string, send_at?: string) => ({
  from,
  to,
  text: 'Hello',
  ...(send_at !== undefined && { send_at }),
});

const channels = {
  'a chat message': {
    table: 'message_states',
    send: (sendAt?: string, to = person) => mine('POST', '/v2/chatapp/messages/', chatRequest(to, sendAt)),
    cancel: (uuid: string) => mine('POST', `/v2/chatapp/messages/${uuid}/cancel/`),
    accept: async (deps: TestApp['deps'], sendAt: string, campaignLog?: string) =>
      uuidOf(
        await sendMessages(deps, [
          { accountId, request: chatRequest(person, sendAt), ...(campaignLog && { campaignLog }) },
        ]),
      ),
    pause: pauseMessages,
    resume: resumeMessages,
  },
  'an SMS': {
    table: 'sms_states',
    send: (sendAt?: string, to = person) => mine('POST', '/v2/send-sms/', smsRequest(to, sendAt)),
    cancel: (uuid: string) => mine('DELETE', `/v2/send-sms/${uuid}/`),
    accept: async (deps: TestApp['deps'], sendAt: string, campaignLog?: string) =>
      uuidOf(
        await sendSmsAll(deps, [
          { accountId, request: smsRequest(person, sendAt), ...(campaignLog && { campaignLog }) },
        ]),
      ),
    pause: pauseSms,
    resume: resumeSms,
  },
} as const;

/** Of an SMS that is in the hand of a worker there is no row yet. */
const inHand = { status: 'QUEUED', ready: true, claimed_by: 1, due_at: '-infinity', attempts: 1 };
const stateOf = async ({ deps: { db } }: TestApp, table: string, uuid: string) =>
  (await db
    .selectFrom(table as 'message_states')
    .select(['status', 'ready', 'claimed_by', 'due_at', 'attempts'])
    .where('uuid', '=', uuid)
    .executeTakeFirst()) ?? inHand;

for (const [name, { table, send, cancel, accept, pause, resume }] of Object.entries(channels)) {
  describe(`${name} that is due later`, () => {
    const state = (uuid: string) => stateOf(app, table, uuid);
    const leaves = async (uuid: string): Promise<void> => {
      const { status } = await until(
        () => state(uuid),
        (now) => now.status !== 'QUEUED',
      );
      assert.notEqual(status, 'FAILED');
    };
    const comesDue = (uuid: string) =>
      sql`update ${sql.table(table)} set due_at = now() where account_id = ${accountId} and uuid = ${uuid}`.execute(
        app.deps.db,
      );
    const moveClock = () => mine('POST', '/v2/sandbox/clock/', { advance_seconds: 2 * 3600 });

    it('is not ready, and leaves when it is due', async () => {
      const { uuid } = await send(inHours(1));
      assert.equal((await state(uuid)).ready, false);
      await comesDue(uuid);
      await leaves(uuid);
    });

    it('leaves at its moment, and not before', async () => {
      const sendAt = new Date(Date.now() + 1500);
      const { uuid } = await send(sendAt.toISOString());
      await leaves(uuid);
      assert.ok(Date.now() >= sendAt.getTime());
    });

    it('leaves as soon as the account’s clock is there', async () => {
      const { uuid } = await send(inHours(1));
      await moveClock();
      await leaves(uuid);
    });

    it('is ready from the beginning where the clock was moved before', async () => {
      await mine('POST', '/v2/sandbox/clock/', { speed: 1 });
      const { uuid } = await send(inHours(1));
      assert.deepEqual(await state(uuid).then(({ status, ready }) => [status, ready]), ['QUEUED', true]);
      await moveClock();
      await leaves(uuid);
    });

    it('leaves though it was being accepted while the clock was moved', async () => {
      await send();
      const uuid = await within(app.deps, async (deps) => {
        const accepted = await accept(deps, inHours(1));
        await moveClock();
        return accepted;
      });
      await leaves(uuid);
    });

    it('that the carrier puts off is not looked at until it is tried again', async () => {
      const { uuid } = await send(undefined, '+447700909044');
      const put = await until(
        () => state(uuid),
        (now) => now.attempts >= 2 && now.claimed_by === null && Date.parse(now.due_at) > Date.now() && !now.ready,
      );
      assert.equal(put.status, 'QUEUED');
      await cancel(uuid);
    });

    it('is never tried again if the answer was lost: only its receipt can tell what became of it', async () => {
      const { uuid } = await send(undefined, '+447700909043');
      const lost = await until(
        () => state(uuid),
        (now) => now.due_at === 'infinity' && now.claimed_by === null,
      );
      assert.deepEqual([lost.status, lost.ready], ['QUEUED', false]);
    });

    it('of a launch that was paused leaves when it is due and resumed', async () => {
      const launch = newId();
      await send();
      const uuid = await within(app.deps, (deps) => accept(deps, inHours(1), launch));
      await pause(app.deps.db, accountId, launch);
      await comesDue(uuid);
      const { status } = await until(
        () => state(uuid),
        (now) => now.ready,
      );
      assert.equal(status, 'QUEUED');
      await resume(app.deps.db, accountId, launch);
      await leaves(uuid);
    });

    it('can be cancelled, and never leaves', async () => {
      const { uuid } = await send(inHours(1));
      await cancel(uuid);
      const { uuid: next } = await send();
      await moveClock();
      await leaves(next);
      assert.equal((await state(uuid)).status, 'CANCELLED');
    });

    it('holds up nobody else if it cannot be marked', async () => {
      const { db } = app.deps;
      const [bad, badAccount] = [(await send(inHours(1))).uuid, accountId];
      const poison = (words: string): string => `
        create or replace function poison_${table}() returns trigger language plpgsql as $$ begin ${words} end $$`;
      await db.transaction().execute(async (trx) => {
        // Before its partitions, as everybody does who works with it: otherwise one would wait for the other.
        await sql.raw(`lock table only ${table} in access exclusive mode`).execute(trx);
        await sql.raw(poison(`raise exception 'poisoned' using errcode = '22008';`)).execute(trx);
        await sql
          .raw(
            `create trigger poison before update on ${table} for each row
              when (new.account_id = '${badAccount}' and new.ready and not old.ready) execute function poison_${table}()`,
          )
          .execute(trx);
      });
      await comesDue(bad);
      await openAccount();
      const { uuid: good } = await send(inHours(1));
      await comesDue(good);
      await leaves(good);
      assert.deepEqual(await state(bad).then(({ status, ready }) => [status, ready]), ['QUEUED', false]);
      await sql.raw(poison('return new;')).execute(db);
      await leaves(bad);
    });

    it('is let in a thousand at a time, until all are', async () => {
      const owner = table === 'message_states' ? sql`, chatapp_account` : sql``;
      await sql`
        insert into ${sql.table(table)} (account_id, uuid, status, due_at, ready, priority ${owner})
        select ${accountId}, uuidv7(), 'QUEUED', now() - interval '1 second', false, 2
          ${table === 'message_states' ? sql`, uuidv7()` : sql``}
        from generate_series(1, 2500)`.execute(app.deps.db);
      await until(
        async () =>
          app.deps.db
            .selectFrom(table as 'sms_states')
            .select(({ fn }) => fn.countAll<number>().as('count'))
            .where('account_id', '=', accountId)
            .where('ready', '=', true)
            .executeTakeFirstOrThrow(),
        ({ count }) => Number(count) === 2500,
      );
    });
  });
}

describe('Where nobody delivers', () => {
  let quiet: TestApp;
  before(async () => {
    quiet = await startTestApp({ ROLES: 'api' });
  });
  after(() => quiet.close());

  const ways = {
    messages: ['message_states', '/v2/chatapp/messages/', chatRequest],
    sms: ['sms_states', '/v2/send-sms/', smsRequest],
  } as const;

  for (const [queue, [table, path, request]] of Object.entries(ways)) {
    const send = async (sendAt?: string): Promise<string> => {
      const { status, body } = await quiet.call('POST', path, request(person, sendAt));
      assert.equal(status, 201, JSON.stringify(body));
      return body.uuid;
    };
    const isReady = async (uuid: string) => (await stateOf(quiet, table, uuid)).ready;

    it(`${queue}: what is due is ready; what is not becomes so by a move of the clock, and stays so when that is set back`, async () => {
      const [now, before, later] = [await send(), await send('2020-01-01T00:00:00Z'), await send(inHours(1))];
      assert.deepEqual(await Promise.all([now, before, later].map(isReady)), [true, true, false]);
      await quiet.call('POST', '/v2/sandbox/clock/', { advance_seconds: 60 });
      assert.equal(await isReady(later), true);
      await quiet.call('POST', '/v2/sandbox/clock/', { reset: true });
      assert.equal(await isReady(later), true);
      assert.equal(await isReady(await send(inHours(1))), false);
    });

    it(`${queue}: metrics count what is scheduled, and what is due though nobody marked it`, async () => {
      const { db } = quiet.deps;
      await sql`update ${sql.table(table)} set status = 'CANCELLED'`.execute(db);
      const uuid = await send(inHours(1));
      assert.deepEqual((await queueLooks[queue]!(db)).depths, { due: 0, scheduled: 1, held: 0, awaiting_receipt: 0 });
      await sql`update ${sql.table(table)} set due_at = now() - interval '1 hour' where uuid = ${uuid}`.execute(db);
      // Since it was accepted, that is, by the clock of the process, which may be ahead of the database's by a little.
      const { depths } = await until(
        () => queueLooks[queue]!(db),
        ({ oldestSeconds }) => oldestSeconds > 0,
      );
      assert.deepEqual(depths, { due: 1, scheduled: 0, held: 0, awaiting_receipt: 0 });
    });
  }
});
