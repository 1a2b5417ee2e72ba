import path from 'node:path';
import pg from 'pg';
import { type Inbound, matchInbound } from '../../src/domains/intros/match/match.ts';
import { type Db, makeDb, makePool } from '../../src/platform/db/connect/pool.ts';
import { makeLog } from '../../src/platform/log.ts';
import { type PostgresConnection, startEmbeddedPostgres } from '../../src/platform/postgres/index.ts';
import { type Figure, median, quantile, type Run } from '../figures.ts';
import { call, makeDataDirectory, startParley } from '../kit/server.ts';

const target = 1.5;
const few = 1_000;

/** Which intro an inbound message is meant for: among a million intros of one number against a thousand of them. */
export async function match({ scope, quick, progress }: Run): Promise<Figure[]> {
  const [many, repeats] = quick ? [50_000, 100] : [1_000_000, 600];
  const dataDirectory = await makeDataDirectory(scope);
  const parley = await startParley(scope, { dataDirectory, roles: 'api' });
  await call(parley, 'POST', '/v2/chatapp/chat-intros/', { chatapp_number: '+442079460011' });
  await parley.stop();

  const connection = await startPostgres(scope, dataDirectory);
  const fewConnection = { ...connection, database: 'few' };
  await run({ ...connection, database: 'postgres' }, [[`create database few template ${connection.database}`]]);
  await seed(fewConnection, few);
  await seed(connection, many);
  progress(`${many} intros are there`);

  const among = [await open(scope, fewConnection, few), await open(scope, connection, many)];
  const figures: Figure[] = [];
  for (const size of [1, 100]) {
    const [near, far] = await timeInTurns(among, size, Math.ceil(repeats / Math.sqrt(size)));
    const ratio = median(far!) / median(near!);
    figures.push({
      row: 'match',
      what: `${size} inbound among ${many} intros of one number`,
      figure: median(far!),
      unit: 'ms',
      reference: { what: `among ${few}`, figure: median(near!) },
      ratio,
      p50Ms: median(far!),
      p99Ms: quantile(far!, 0.99),
      target: `ratio ≤ ${target}`,
      met: ratio <= target,
      details: { [`among ${few} p99 ms`]: quantile(near!, 0.99), 'times each': far!.length },
    });
  }
  return figures;
}

async function startPostgres(scope: AsyncDisposableStack, dataDirectory: string): Promise<PostgresConnection> {
  const starting = startEmbeddedPostgres({ directory: path.join(dataDirectory, 'postgres'), progress: () => {} });
  // On the scope before it is up: an interruption in between must not leave it behind.
  scope.defer(() => starting.then((postgres) => postgres.stop()));
  return (await starting).connection;
}

/** Multiplies the one intro there is. Half of them expect one and the same text; every fifth has an open session. */
const seed = (connection: PostgresConnection, intros: number): Promise<void> =>
  run(connection, [[multiply, [intros]], [startSessions], ['vacuum analyze intro_keys, links, intro_sessions']]);

async function run(connection: PostgresConnection, statements: [string, unknown[]?][]): Promise<void> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  await client.connect();
  for (const [text, values] of statements) await client.query(text, values);
  await client.end();
}

const sharedText = 'hello, is it still for sale?';
const ownText = (n: number): string => `hello, i would like to know more about house ${n}`;

const multiply = `
  with made as (
    insert into chat_intros
    select made.*
    from chat_intros as intro
    cross join generate_series(1, $1::int) as n
    cross join jsonb_populate_record(intro, jsonb_build_object(
      'uuid', uuidv7(), 'reference_id', 'REF-' || n, 'reference_key', 'ref-' || n,
      'shortcode', translate(lpad(to_hex(n), 10, '0'), '0123456789abcdef', '23456789bcdfghjk'))) as made
    returning account_id, uuid, chatapp_account, shortcode, reference_key, substr(reference_key, 5)::int as n
  ), linked as (
    insert into links (shortcode, account_id, kind, chat_intro) select shortcode, account_id, 'INTRO', uuid from made
  )
  insert into intro_keys (account_id, chat_intro, chatapp_account, expected_hash, reference_key, shared, opened_at, ranked_at)
  select account_id, uuid, chatapp_account, encode(substr(sha256(convert_to(
      case n % 2 when 0 then '${sharedText}' else '${ownText(0).slice(0, -1)}' || n end, 'UTF8')), 1, 16), 'hex')::uuid,
    reference_key, n % 2 = 0, opened_at, case n % 2 when 0 then opened_at end
  from made cross join lateral (select case n % 3 when 0 then now() - n * interval '1 minute' end as opened_at) as opened`;

const startSessions = `
  insert into intro_sessions (account_id, uuid, chat_intro, chatapp_account, aparty_number, aparty_digits, status, intro,
    variables, flow_token, bparty_shortcode, started_at, last_activity_at)
  select account_id, uuidv7(), uuid, chatapp_account, '+4477' || n, '4477' || n, 'STARTED', '{}', '{}', 'flow-' || n, 'b' || n,
    now(), now()
  from (select *, substr(reference_key, 5)::int as n from chat_intros where reference_key is not null) as intro
  where n % 5 = 0`;

/** A database with that many intros, and who asks it. */
interface Among {
  db: Db;
  accountId: string;
  chatappAccount: string;
  intros: number;
}

async function open(scope: AsyncDisposableStack, connection: PostgresConnection, intros: number): Promise<Among> {
  const db = makeDb(makePool(connection, makeLog({ level: 'error', pretty: false }), { size: 1 }));
  scope.defer(() => db.destroy());
  const one = await db.selectFrom('chat_intros').select(['account_id', 'chatapp_account']).limit(1).execute();
  return { db, intros, accountId: one[0]!.account_id, chatappAccount: one[0]!.chatapp_account };
}

/** What people write, each kind as often as the others, about intros all over the table. */
const kinds: ((n: number) => { text: string; how: string | undefined; from?: number })[] = [
  (n) => ({ text: ownText(n - (n % 2) + 1), how: 'EXPECTED_TEXT' }),
  () => ({ text: 'Hello,  is it STILL for sale?', how: 'EXPECTED_TEXT' }),
  (n) => ({ text: `Good morning, is house (Ref: REF-${n}) still there? I saw it today.`, how: 'REFERENCE' }),
  (n) => ({ text: `I was sent https://example.com/l/${shortcodeOf(n)}`, how: 'SHORTCODE' }),
  (n) => ({ text: 'Yes please, tomorrow in the afternoon.', how: 'OPEN_SESSION', from: n - (n % 5) + 5 }),
  () => ({ text: 'Do you also have something by the sea, with four bedrooms?', how: undefined }),
];
const shortcodeOf = (n: number): string =>
  n
    .toString(16)
    .padStart(10, '0')
    .replace(/./g, (digit) => '23456789bcdfghjk'[Number.parseInt(digit, 16)]!);

/** Times the two in turns, so that what disturbs the machine disturbs them alike. */
async function timeInTurns(among: Among[], size: number, repeats: number): Promise<number[][]> {
  const warmUps = Math.ceil(repeats / 5);
  const times = among.map((): number[] => []);
  for (let round = -warmUps; round < repeats; round++) {
    for (const [index, { db, accountId, chatappAccount, intros }] of among.entries()) {
      const messages = Array.from({ length: size }, (_, at) => {
        const nth = (round + warmUps) * size + at;
        return kinds[nth % kinds.length]!(1 + ((nth * 7_919) % (intros - 10)));
      });
      const wanted = messages.map(
        ({ text, from = 0 }): Inbound => ({ chatappAccount, text, fromDigits: `4477${from}` }),
      );
      const startedMs = performance.now();
      const found = await matchInbound(db, accountId, wanted);
      if (round >= 0) times[index]!.push(performance.now() - startedMs);
      const wrong = messages.find(({ how }, at) => found[at]?.how !== how);
      if (wrong) throw new Error(`"${wrong.text}" was not matched by ${wrong.how}`);
    }
  }
  return times;
}
