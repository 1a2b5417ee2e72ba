import { setTimeout as sleep } from 'node:timers/promises';
import { type Figure, quantile, type Run } from '../figures.ts';
import { startDatabase } from '../kit/database.ts';
import { call, makeDataDirectory, startParley } from '../kit/server.ts';

const perSecond = 200;
const intros = 200;
const business = '+447700900001';
const limitMs = 20_000;

/** How long a person waits for the reply of an intro: from their message to its hand-over, at 200 messages a second. */
export async function reply({ scope, quick, progress }: Run): Promise<Figure[]> {
  const seconds = quick ? 2 : 10;
  const dataDirectory = await makeDataDirectory(scope);
  const database = await startDatabase(scope, dataDirectory);
  const settings = { DATABASE_URL: database.url };
  const parley = await startParley(scope, { dataDirectory, settings });
  for (let index = 0; index < intros; index++) {
    const fields = { reference_id: `BENCH-${index}`, reply_message_template: 'Thank you, {{APartyDataContactName}}.' };
    await call(parley, 'POST', '/v2/chatapp/chat-intros/', { chatapp_number: business, ...fields });
  }
  const [account] = (await call<{ results: { uuid: string }[] }>(parley, 'GET', '/v2/chatapp/accounts/')).results;
  await call(parley, 'PATCH', `/v2/chatapp/accounts/${account!.uuid}/`, { messages_per_second: 10_000 });

  const total = seconds * perSecond;
  const startMs = performance.now();
  const writing = Array.from({ length: total }, async (_, index) => {
    await sleep(startMs + (index * 1000) / perSecond - performance.now());
    const from = `+4477${String(20_000_000 + index)}`;
    const text = { body: `Hello, about BENCH-${index % intros} please` };
    await call(parley, 'POST', '/v2/sandbox/chatapp/messages/', { from, to: business, name: 'Ana', text });
  });
  await Promise.all(writing);
  const waits = await readWaits(database.client, total);
  const [p50Ms, p99Ms] = [quantile(waits, 0.5), quantile(waits, 0.99)];
  progress(`${waits.length} replies, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`);
  return [
    {
      row: 'reply',
      what: `a message to an intro until its reply is with the carrier, ${perSecond} a second for ${seconds} s`,
      figure: waits.length / seconds,
      unit: 'replies/s',
      p50Ms,
      p99Ms,
    },
  ];
}

/** Milliseconds from each message to the reply to it, once all are there. */
async function readWaits(client: { query(text: string): Promise<{ rows: { ms: number }[] }> }, total: number) {
  for (const endMs = performance.now() + limitMs; ; await sleep(100)) {
    const { rows } = await client.query(`
      select extract(epoch from handed.created - written.created)::float8 * 1000 as ms
      from intro_sessions as session
      join messages as written on written.account_id = session.account_id and written.from_digits = session.aparty_digits
      join sandbox_messages as handed on handed.account_id = session.account_id and handed.message = session.reply_message`);
    if (rows.length === total) return rows.map(({ ms }) => ms);
    if (performance.now() > endMs) throw new Error(`${rows.length} of ${total} people had their reply in time`);
  }
}
