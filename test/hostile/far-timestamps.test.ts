// What one sender's platform tells can be wrong in any way: nobody else's messages wait for it.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { startReading } from '../../src/domains/inbound/reading.ts';
import { until } from '../kit/until.ts';
import { type Served, serve } from './http/wire.ts';

interface Sender {
  token: string;
  numberId: string;
  url: string;
}

const secret = 'the secret of the app';
const nowSeconds = (): string => String(Math.floor(Date.now() / 1000));

/** A chat-app account of a tenant, as its platform speaks to it: with signed payloads. */
async function register(app: Served, token: string, numberId: string): Promise<Sender> {
  const account = await app.post(
    '/v2/chatapp/accounts/',
    {
      chatapp_number: `+4420794600${numberId}`,
      carrier: 'cloud-api',
      phone_number_id: numberId,
      business_account_id: `1${numberId}`,
      app_id: '3',
      access_token: 'token',
      app_secret: secret,
      verify_token: 'verify',
    },
    token,
  );
  return { token, numberId, url: `${app.url}${account.webhook_path}` };
}

let count = 0;
const said = (body: string, from = '447700900123', timestamp = nowSeconds()) => ({
  id: `wamid.${++count}`,
  from,
  timestamp,
  type: 'text',
  text: { body },
});

async function tell({ url, numberId }: Sender, ...messages: object[]): Promise<void> {
  const value = { metadata: { phone_number_id: numberId }, messages };
  const payload = JSON.stringify({ entry: [{ id: `1${numberId}`, changes: [{ field: 'messages', value }] }] });
  const signature = createHmac('sha256', secret).update(payload).digest('hex');
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` };
  assert.equal((await fetch(url, { method: 'POST', body: payload, headers })).status, 200);
}

/** The messages that a tenant has got, by their texts. */
const textsOf = async (app: Served, { token }: Sender): Promise<string[]> =>
  (await app.get('/v2/chatapp/messages/?direction=INBOUND&page_size=200', token)).results.map(
    (one: { message_data: { text: { body: string } } }) => one.message_data.text.body,
  );
const gets = (app: Served, sender: Sender, text: string) =>
  until(
    () => textsOf(app, sender),
    (texts) => texts.includes(text),
  );

describe('a signed payload', () => {
  let app: Served;
  let [one, other]: Sender[] = [];
  before(async () => {
    app = await serve();
    one = await register(app, app.token, '71');
    other = await register(app, app.otherToken, '72');
    await sql`create table poison (body text, code text)`.execute(app.deps.db);
    await sql`
      create function refuse_poison() returns trigger language plpgsql as $$
      declare
        wanted text := (select code from poison where body = new.message_data -> 'text' ->> 'body' limit 1);
      begin
        if wanted is not null then raise exception 'poisoned' using errcode = wanted; end if;
        return new;
      end $$`.execute(app.deps.db);
    await sql`create trigger poison before insert on messages for each row execute function refuse_poison()`.execute(
      app.deps.db,
    );
  });
  after(() => app.close());

  const payloads = () =>
    app.deps.db
      .selectFrom('inbound_payloads')
      .select(['uuid', 'attempts', 'problem'])
      .where('account_id', '=', app.accountId)
      .where('done', 'is', null)
      .execute();
  /** From here on, storing such a message fails, as it would for a reason that nobody has thought of. */
  const poison = (text: string, code = '22008') =>
    sql`insert into poison values (${text}, ${code})`.execute(app.deps.db);
  const cure = () => sql`delete from poison`.execute(app.deps.db);
  const makeDue = () => sql`update inbound_payloads set due_at = now() where done is null`.execute(app.deps.db);

  test('with a moment that cannot be is put aside in part, with the reason; what else it tells is read', async () => {
    const moments = ['253402214400', '253402300799', String(Number(nowSeconds()) + 2 * 86_400), '86400', '0'];
    await tell(one!, ...moments.map((moment, index) => said(`Far ${index}`, '447700900123', moment)), said('Near'));
    await tell(other!, said('Hello'));
    await gets(app, other!, 'Hello');
    assert.deepEqual(await gets(app, one!, 'Near'), ['Near']);
    const { results } = await app.get('/v2/events/?kind=platform.unreadable_update&page_size=100');
    assert.equal(results.length, moments.length);
    for (const { data } of results) assert.match(data.reason, /timestamp/);
    assert.deepEqual(await payloads(), []);
  });

  test('that cannot be dealt with waits by itself: others, and those behind it, are read meanwhile', async () => {
    await poison('Poison');
    for (let index = 0; index < 3; index++) await tell(one!, said('Poison'));
    await tell(one!, said('Behind it'));
    await tell(other!, said('Of another'));
    await gets(app, other!, 'Of another');
    await gets(app, one!, 'Behind it');
    const waiting = await until(payloads, (rows) => rows.length === 3 && rows.every(({ attempts }) => attempts > 0));
    for (const { attempts, problem } of waiting) assert.ok(attempts < 5 && problem === null, 'it has attempts left');
    // Its last attempt.
    const aside = await until(
      async () => {
        await makeDue();
        return payloads();
      },
      (rows) => rows.every(({ problem }) => problem !== null),
    );
    assert.deepEqual(
      aside.map(({ attempts, problem }) => [attempts, problem]),
      Array.from({ length: 3 }, () => [5, 'poisoned']),
    );
    await cure();
  });

  test('that only stood in the way of other transactions is tried until it is read', async () => {
    await poison('Deadlock', '40P01');
    await tell(one!, said('Deadlock'));
    const [waiting] = await until(
      async () => {
        await makeDue();
        return (await payloads()).filter(({ problem }) => problem !== 'poisoned');
      },
      (rows) => rows.some(({ attempts }) => attempts > 6),
    );
    assert.equal(waiting!.problem, null);
    await cure();
    await makeDue();
    await gets(app, one!, 'Deadlock');
  });

  test('that is read late does not take back what was said since', async () => {
    const from = '447700900888';
    await poison('START');
    await tell(one!, said('START', from));
    await until(payloads, (rows) => rows.some(({ attempts, problem }) => attempts > 0 && problem === null));
    await tell(one!, said('STOP', from));
    const optOuts = async () => (await app.get(`/v2/opt-outs/?number=${from}`)).results.length;
    await until(optOuts, (found) => found === 1);
    await cure();
    await makeDue();
    await gets(app, one!, 'START');
    assert.equal(await optOuts(), 1);
  });
});

test('what one account has waiting is read by turns with what others have', async () => {
  const app = await serve({ ROLES: 'api,connector' });
  try {
    const [busy, quiet] = [await register(app, app.token, '73'), await register(app, app.otherToken, '74')];
    for (let index = 0; index < 10; index++) {
      await Promise.all(Array.from({ length: 50 }, (_, place) => tell(busy, said(`Busy ${index} ${place}`))));
    }
    await tell(quiet, said('Quiet'));
    const reading = startReading(app.deps);
    try {
      const ids = async ({ token }: Sender, ordering: string) =>
        (await app.get(`/v2/chatapp/messages/?direction=INBOUND&page_size=1&ordering=${ordering}`, token)).results.map(
          ({ uuid }: { uuid: string }) => uuid,
        );
      await until(
        async () => (await app.get('/v2/chatapp/messages/?direction=INBOUND')).count,
        (found) => found === 500,
      );
      const [own] = await until(
        () => ids(quiet, 'created'),
        (found) => found.length === 1,
      );
      const [last] = await ids(busy, '-created');
      // Ids are made as messages are read, and their order is the order of time.
      assert.ok(own < last, 'it was read before the last of the other account');
    } finally {
      await reading.stop();
    }
  } finally {
    await app.close();
  }
});
