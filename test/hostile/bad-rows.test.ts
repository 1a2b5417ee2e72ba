// One account's bad row, however it came to be, fails that row and nothing else.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '../../src/platform/ids.ts';
import { until } from '../kit/until.ts';
import { type Served, serve } from './http/wire.ts';

let app: Served;
let otherAccount: string;
before(async () => {
  app = await serve();
  const { uuid } = await app.deps.db
    .selectFrom('accounts')
    .select('uuid')
    .where('name', '=', 'Another tenant')
    .executeTakeFirstOrThrow();
  otherAccount = uuid;
});
after(() => app.close());

const from = '+447700900001';
const messageTo = (to: string, body = 'Hello') => ({
  chatapp_number: from,
  to_chatapp_number: to,
  type: 'TEXT',
  text: { body },
});
const send = async (token: string, to = '+447700900123'): Promise<string> =>
  (await app.post('/v2/chatapp/messages/', messageTo(to), token)).uuid;
const statusOf = async (uuid: string, token: string): Promise<string> =>
  (await app.get(`/v2/chatapp/messages/${uuid}/`, token)).status;
const isRead = (uuid: string, token: string) =>
  until(
    () => statusOf(uuid, token),
    (status) => status === 'READ',
  );
const setAside = async (what: string): Promise<number> => {
  const metrics = await (await fetch(`${app.url}/metrics`)).text();
  return Number(new RegExp(`^parley_set_aside_total\\{what="${what}"\\} (\\d+)`, 'm').exec(metrics)?.[1] ?? 0);
};

/** Whatever the trigger's condition says of a row makes writing that row fail, as an unforeseen value would. */
async function poison(table: string, event: 'insert' | 'update', condition: string): Promise<void> {
  const name = `poison_${table}_${event}`;
  await sql
    .raw(
      `create or replace function ${name}() returns trigger language plpgsql as $$
      begin if ${condition} then raise exception 'poisoned' using errcode = '22008'; end if; return new; end $$`,
    )
    .execute(app.deps.db);
  await sql
    .raw(`create trigger ${name} before ${event} on ${table} for each row execute function ${name}()`)
    .execute(app.deps.db);
}

describe('the clock of the sandbox', () => {
  const tenYears = 10 * 366 * 86_400;

  test('stays within ten years of the real time, and says how far it can be moved', async () => {
    const token = app.otherToken;
    await app.post('/v2/sandbox/clock/', { advance_seconds: tenYears - 1000 }, token);
    const refused = await app.ask('POST', '/v2/sandbox/clock/', { advance_seconds: 5000 }, token);
    assert.equal(refused.status, 400, JSON.stringify(refused.body));
    const [, left] = /^The clock can be ten years ahead of the real time: (\d+) seconds more are possible\.$/.exec(
      refused.body.advance_seconds[0],
    )!;
    assert.ok(Number(left) > 900 && Number(left) <= 1000, left);
    await app.post('/v2/sandbox/clock/', { advance_seconds: Number(left) - 1, speed: 86_400 }, token);
    // However fast it runs.
    const latest = Date.now() + (tenYears + 60) * 1000;
    const { now } = await app.get('/v2/sandbox/clock/', token);
    assert.ok(Date.parse(now) > Date.now() && Date.parse(now) < latest, now);
    const again = await app.ask('POST', '/v2/sandbox/clock/', { advance_seconds: tenYears }, token);
    assert.deepEqual(Object.keys(again.body), ['advance_seconds']);
    // Or how slowly: this is more than nothing, and less than PostgreSQL can multiply.
    await app.post('/v2/sandbox/clock/', { speed: 5e-324 }, token);
    await app.get('/v2/sandbox/clock/', token);
    await app.post('/v2/sandbox/clock/', { speed: 1 }, token);
    await isRead(await send(token), token);
  });

  test('of one account breaks nothing of others, wherever an older version has left it', async () => {
    await sql`
      insert into sandbox_clocks (account_id, real_base, virtual_base, speed)
      values (${otherAccount}, now() - interval '9 years', '250000-01-01', 86400)
      on conflict (account_id) do update set real_base = excluded.real_base, virtual_base = excluded.virtual_base,
        speed = excluded.speed`.execute(app.deps.db);
    await sql`select pg_notify('parley', '')`.execute(app.deps.db);
    // Makes every process read the clocks again.
    await app.post('/v2/sandbox/clock/', { speed: 1 });
    assert.equal((await app.ask('GET', '/v2/sandbox/clock/', undefined, app.otherToken)).status, 200);
    const [theirs, ours] = [await send(app.otherToken), await send(app.token)];
    await isRead(ours, app.token);
    await isRead(theirs, app.otherToken);
  });
});

test('a receipt that cannot be stored is set aside, and everybody else gets theirs', async () => {
  await poison('message_states', 'update', `new.account_id = '${otherAccount}' and new.status = 'DELIVERED'`);
  const bad = await send(app.otherToken);
  await until(
    () => statusOf(bad, app.otherToken),
    (status) => status === 'SENT',
  );
  await isRead(await send(app.token), app.token);
  await until(
    () => setAside('sandbox receipts and replies'),
    (count) => count > 0,
  );
  assert.equal(await statusOf(bad, app.otherToken), 'SENT');
});

test('a click that cannot be told of is set aside, and those written down with it are told', async () => {
  const intro = await app.post('/v2/chatapp/chat-intros/', {
    name: 'Flat',
    chatapp_number: from,
    expected_message_template: 'Hello about the flat',
  });
  const bad = { account: otherAccount, intro: newId(), openedMs: 1e300 };
  const good = { account: app.accountId, intro: intro.uuid, openedMs: Date.now() };
  const some = [good, bad, good];
  // The oldest batch there is.
  await sql`
    insert into click_batches (uuid, events, account_ids, chat_intros, visitors, opened_ms)
    values ('00000000-0000-7000-8000-000000000000', ${some.map(() => newId())}::uuid[],
      ${some.map(({ account }) => account)}::uuid[], ${some.map(({ intro }) => intro)}::uuid[],
      ${some.map(() => 'abcdef')}::text[], ${some.map(({ openedMs }) => openedMs)}::float8[])`.execute(app.deps.db);
  // A person: previews and crawlers are not counted.
  const visit = await fetch(`${app.url}/l/${intro.chat_link.split('/').at(-1)}`, {
    redirect: 'manual',
    headers: { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari' },
  });
  assert.equal(visit.status, 302);
  await until(
    async () => (await app.get(`/v2/events/?subject=${intro.uuid}&kind=chat_intro.clicked`)).results.length,
    (count) => count === 3,
  );
  // Counted a moment after the others are stored.
  await until('it is set aside', async () => (await setAside('clicks on links')) === 1);
});

test('of requests that are stored together, only the one with the bad value fails', async () => {
  await poison('messages', 'insert', `new.message_data -> 'text' ->> 'body' = 'Poison'`);
  const bodies = Array.from({ length: 60 }, (_, index) => (index % 20 === 7 ? 'Poison' : `Fine ${index}`));
  const answers = await Promise.all(
    bodies.map((body, index) =>
      app.ask(
        'POST',
        '/v2/chatapp/messages/',
        messageTo('+447700900125', body),
        index % 2 === 0 ? app.token : app.otherToken,
      ),
    ),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    bodies.map((body) => (body === 'Poison' ? 500 : 201)),
  );
});

test('a moment that cannot be printed does not break the list it stands in', async () => {
  const made = await app.post('/v2/opt-outs/', { phone_number: '+447700900901' });
  const moments = ['12345-01-01 00:00:00+00', '0044-03-15 00:00:00+00 BC', 'infinity'];
  for (const moment of moments) {
    await sql`update opt_outs set created = ${moment}::timestamptz where uuid = ${made.uuid}`.execute(app.deps.db);
    const { results } = await app.get('/v2/opt-outs/');
    assert.ok(
      results.some(({ uuid }: { uuid: string }) => uuid === made.uuid),
      moment,
    );
  }
});
