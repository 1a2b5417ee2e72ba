import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { addIdleAccountsText } from '../../test/kit/postgres/idle-accounts.ts';
import { waitUntilRead } from '../chat/through.ts';
import { type Figure, median, quantile, type Run } from '../figures.ts';
import { type Database, settleLog, startDatabase } from '../kit/database.ts';
import { postMessages } from '../kit/load.ts';
import { message, messagesPath } from '../kit/message.ts';
import { call, makeDataDirectory, type Server, startParley } from '../kit/server.ts';

const most = 1.5;
const quietAccounts = 999;
/** Between two messages of the quiet ones, who take turns. */
const gapMs = 20;
const sendersPath = '/v2/chatapp/accounts/';
const { chatapp_number } = message;

/**
 * One account sends all it can beside 999 that send a message now and then: how long these wait from their POST until their message
 * is with the carrier, against the same without the flood. The flood waits in the queue, and its sender has no limit: it takes
 * whatever the server gives it.
 */
export async function fairness({ scope, quick, progress }: Run): Promise<Figure[]> {
  const [rounds, seconds, floodSeconds] = quick ? [1, 6, 12] : [3, 10, 25];
  const directory = await makeDataDirectory(scope);
  const database = await startDatabase(scope, directory);
  const parley = await startParley(scope, { dataDirectory: directory, settings: { DATABASE_URL: database.url } });
  await call(parley, 'POST', '/v2/sandbox/clock/', { speed: 1000 });
  const sender = await call<{ uuid: string }>(parley, 'POST', sendersPath, { chatapp_number });
  const setRate = (messages_per_second: number): Promise<unknown> =>
    call(parley, 'PATCH', `${sendersPath}${sender.uuid}/`, { messages_per_second });
  const quiet = await addQuietAccounts(database, parley);
  await sendInTurn(quiet, database, quick ? 1 : 5);

  const waits = { alone: [] as number[], beside: [] as number[] };
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const { waits: waitsAlone } = await sendInTurn(quiet, database, seconds);
    await setRate(1);
    await postMessages(scope, parley, floodSeconds);
    // As autovacuum does a minute later: statements that were planned for empty tables are planned anew.
    await database.client.query('analyze');
    await settleLog(database);
    const before = await countQueued(database);
    await setRate(100_000);
    const { waits: waitsBeside, left } = await sendInTurn(quiet, database, seconds);
    progress(
      `alone ${spread(waitsAlone)}, beside ${spread(waitsBeside)}; the flood meanwhile: ${Math.round((before - left) / seconds)}/s, ${left} left`,
    );
    if (left === 0) throw new Error('The flood was over before the quiet ones had sent theirs');
    least = Math.min(least, left);
    waits.alone.push(quantile(waitsAlone, 0.99));
    waits.beside.push(quantile(waitsBeside, 0.99));
    await waitUntilRead(parley);
  }
  const [figure, reference] = [median(waits.beside), median(waits.alone)];
  // Each round against its own: what disturbs the machine, or vacuums the tables, disturbs both parts of one.
  const ratio = median(waits.beside.map((beside, round) => beside / waits.alone[round]!));
  return [
    {
      row: 'fairness',
      what: `p99 from POST to SENT of ${quietAccounts} quiet accounts, beside one that floods, ROLES=all`,
      figure,
      unit: 'ms',
      reference: { what: 'without it', figure: reference },
      ratio,
      target: `ratio ≤ ${most}`,
      met: ratio <= most,
      details: { 'left of the flood at the end, at least': least },
    },
  ];
}

const spread = (waits: number[]): string =>
  `p50 ${quantile(waits, 0.5).toFixed(0)}, p90 ${quantile(waits, 0.9).toFixed(0)}, p99 ${quantile(waits, 0.99).toFixed(0)} ms`;

/** Accounts that can send, each as a server of its own: the same with another token. */
async function addQuietAccounts({ client }: Database, parley: Server): Promise<Server[]> {
  await client.query(addIdleAccountsText, [quietAccounts]);
  const { rows } = await client.query("select uuid from accounts where name like 'Idle %' order by uuid");
  const tokens = rows.map(({ uuid }) => `quiet-token-of-${uuid}`);
  await client.query(
    `insert into tokens (account_id, uuid, name, hash, scopes)
    select account_id, uuidv7(), 'Bench', hash, (select scopes from tokens limit 1)
    from unnest($1::uuid[], $2::text[]) as token (account_id, hash)`,
    [rows.map(({ uuid }) => uuid), tokens.map((token) => hash('sha256', token, 'hex'))],
  );
  await client.query('vacuum analyze');
  return tokens.map((token) => ({ ...parley, token }));
}

/**
 * Sends a message every now and then, each from the next account. Answers how long each took until it was SENT, in ms, and how many
 * messages were in the queue after the last.
 */
async function sendInTurn(
  quiet: Server[],
  database: Database,
  seconds: number,
): Promise<{ waits: number[]; left: number }> {
  const posted: Promise<{ uuid: string; answeredMs: number }>[] = [];
  const endMs = performance.now() + seconds * 1000;
  for (let turn = 0; performance.now() < endMs; turn++) {
    posted.push(post(quiet[turn % quiet.length]!));
    await sleep(gapMs);
  }
  const sent = await Promise.all(posted);
  const left = await countQueued(database);
  const uuids = sent.map(({ uuid }) => uuid);
  const limitMs = performance.now() + 120_000;
  while (performance.now() < limitMs) {
    // What the timeline says, so that nobody has to ask all the time.
    const { rows } = await database.client.query(
      `select subject, extract(epoch from at - created) * 1000 as ms
      from events join messages on messages.account_id = events.account_id and messages.uuid = subject
      where subject = any ($1::uuid[]) and kind = 'message.sent'`,
      [uuids],
    );
    const ways = new Map(rows.map(({ subject, ms }) => [subject, Number(ms)]));
    if (ways.size === sent.length) {
      return { waits: sent.map(({ uuid, answeredMs }) => answeredMs + ways.get(uuid)!), left };
    }
    await sleep(500);
  }
  throw new Error('Some messages of quiet accounts are not sent after two minutes');
}

async function post(server: Server): Promise<{ uuid: string; answeredMs: number }> {
  const startedMs = performance.now();
  const { uuid } = await call<{ uuid: string }>(server, 'POST', messagesPath, message);
  return { uuid, answeredMs: performance.now() - startedMs };
}

async function countQueued({ client }: Database): Promise<number> {
  const { rows } = await client.query("select count(*)::int as left from message_states where status = 'QUEUED'");
  return rows[0].left;
}
