// A thousand SMS over links that are cut, by processes that are killed.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { type Smsc, startSmsc } from '../../../simulators/smsc/index.ts';
import { programToken, startProcesses } from '../../kit/program/program.ts';
import { until } from '../../kit/until.ts';

/** 20,000 take some minutes: `CHAOS_SMS=20000 node --test …` */
const total = Number(process.env['CHAOS_SMS'] ?? 1000);
const from = 'Parley';
/** The centre does not give up a receipt because we are slow. */
const patient = { deliveryRetryMs: 200, deliveryTries: 100_000 };
const patienceMs = Math.max(1_800_000, total * 20);
const linuxOnly = { skip: process.platform === 'linux' ? false : 'finds processes in /proc', timeout: 2 * patienceMs };
/** Every tenth is long: three parts. */
const textOf = (index: number): string => (index % 10 === 0 ? `Hello ${index}`.padEnd(400, '!') : `Hello ${index}`);
/** They end in 8: for those the SMSC simulator plays no outcome of its own. */
const toOf = (index: number): string => `+4477${String(index).padStart(7, '0')}8`;

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape, looked into and asserted below
type Any = any;

describe('a link that is cut, and a process that is killed', linuxOnly, () => {
  const undo: (() => Promise<unknown>)[] = [];
  after(async () => {
    for (const step of undo.reverse()) await step();
  });

  const startHere = async () => {
    const processes = await startProcesses({ SMPP_ALLOW: '127.0.0.1' });
    undo.push(() => processes.stop());
    return processes;
  };

  it('every SMS ends, none is taken twice, and what nobody can know is marked', async (t) => {
    const smsc = await startSmsc({ settings: { receiptAfterMs: 300, ...patient } });
    undo.push(() => smsc.close());
    const { start, query } = await startHere();
    // One process for the API; those that send come and go.
    const call = clientOf(await start('api').ready());
    const owner = start('worker,connector');
    await owner.ready();
    await connect(call, smsc, total / 5);
    // The first has the link; the second stands by.
    await start('worker,connector').ready();

    const uuids = new Map<string, number>();
    const accepting = forEach(total, 16, async (index) => {
      const { uuid } = await call('POST', '/v2/send-sms/', { from, to: toOf(index), text: textOf(index) });
      uuids.set(uuid, index);
    });
    for (let cuts = 1; cuts <= 5; cuts++) {
      await comes(`cut ${cuts}`, async () => smsc.received.length > (cuts * total) / 8 && smsc.connections.size > 0);
      if (cuts === 3) owner.signal('SIGKILL');
      smsc.dropAll();
    }
    await accepting;
    await settled(query, smsc);

    const records = await listAll(call, '/v2/sms-records/?page_size=200');
    const byStatus = Map.groupBy(records, ({ status }) => status);
    const unknown = byStatus.get('QUEUED') ?? [];
    t.diagnostic(JSON.stringify([...byStatus].map(([status, some]) => [status, some.length])));
    assert.equal(records.length, total, 'nothing lost, nothing invented');
    assertNoDoubles(smsc);
    // What the centre took as a whole was delivered, whoever was killed and whatever answer was lost.
    const taken = takenWhole(smsc);
    const deliveredTo = (byStatus.get('DELIVERED') ?? []).map(({ to }) => to);
    assert.deepEqual(deliveredTo.toSorted(), [...taken].toSorted());
    assert.equal(deliveredTo.length + unknown.length, total);
    // What it did not take waits and says so, and ends when nobody can hope any more.
    for (const { status_description } of unknown) assert.match(status_description, /It waits for its receipt\.$/);
    await query(`update sms_states set modified = now() - interval '4 days' where status = 'QUEUED'`);
    await comes(
      'all are final',
      async () => (await count(query, 'DELIVERED')) + (await count(query, 'FAILED')) === total,
    );
    assertNoDoubles(smsc);
  });

  it('a process that hands over what it has just accepted: nothing is lost, nothing leaves twice', async (t) => {
    const smsc = await startSmsc({ settings: { answerAfterMs: 50, receiptAfterMs: 100, ...patient } });
    undo.push(() => smsc.close());
    const { start, query } = await startHere();
    const killed = start('all');
    const call = clientOf(await killed.ready());
    await connect(call, smsc, 10_000);
    const uuids: string[] = [];
    let next = 0;
    const send = async (call: Client, index: number): Promise<void> => {
      const { uuid } = await call('POST', '/v2/send-sms/', { from, to: toOf(index), text: textOf(index) });
      uuids.push(uuid);
    };
    // Whatever is under way when the process is killed gets no answer.
    const accepting = forEach(300, 16, () => send(call, next++).catch(() => {}));
    await comes('some have left', async () => smsc.received.length > 60);
    killed.signal('SIGSTOP');
    const inHand = await query(
      `select count(*)::int from sms left join sms_states using (account_id, uuid) where status is null`,
    );
    t.diagnostic(`${inHand[0].count} in hand`);
    assert.ok(inHand[0].count > 0, 'some are in hand');
    killed.signal('SIGKILL');
    await accepting;
    const again = clientOf(await start('all').ready());
    await forEach(50, 16, () => send(again, next++));
    await comes('somebody has taken over', async () => {
      const left = await query(`select from sms_in_hand where created < now() - interval '6 seconds'`);
      const open = await query(`select from sms_states where status = 'QUEUED' and status_description = ''`);
      return left.length + open.length === 0;
    });
    await settled(query, smsc);

    const records = await listAll(again, '/v2/sms-records/?page_size=200');
    const known = new Set(records.map(({ uuid }) => uuid));
    assert.deepEqual(
      uuids.filter((uuid) => !known.has(uuid)),
      [],
      'what was accepted is there',
    );
    assert.equal((await again('GET', '/v2/account/ledger/')).sms.unaccounted, 0);
    assert.deepEqual(await query('select * from sms_in_hand'), []);
    assertNoDoubles(smsc);
    const [delivered, others] = [records, records].map((some, side) =>
      some.filter(({ status }) => (status === 'DELIVERED') === (side === 0)),
    );
    assert.deepEqual(delivered!.map(({ to }) => to).toSorted(), [...takenWhole(smsc)].toSorted());
    for (const { status, status_description } of others!) {
      assert.equal(status, 'QUEUED');
      assert.match(status_description, /It waits for its receipt\.$/);
    }
    t.diagnostic(`${delivered!.length} delivered, ${others!.length} wait`);
  });

  /** Opens a link to the centre; returns when it is up. */
  async function connect(call: Client, smsc: Smsc, messagesPerSecond: number): Promise<void> {
    await call('POST', '/v2/sms-senders/', { sender: from });
    const { host, port } = smsc;
    const link = { name: 'Centre', host, port, system_id: 'parley', password: 'parley' };
    await call('POST', '/v2/sms-links/', { ...link, messages_per_second: messagesPerSecond });
    await comes('the link is up', async () => smsc.connections.size > 0);
  }
});

const clientOf =
  (url: string) =>
  async (method: string, place: string, body?: object): Promise<Any> => {
    const headers = { authorization: `Token ${programToken}`, 'content-type': 'application/json' };
    const answer = await fetch(url + place, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const read = await answer.json();
    assert.ok(answer.ok, `${method} ${place} answered ${answer.status} ${JSON.stringify(read)}`);
    return read;
  };
type Client = ReturnType<typeof clientOf>;

async function forEach(count: number, connections: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const connection = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: connections }, connection));
}

/** So many take their time. */
const comes = (what: string, holds: () => Promise<boolean>) => until(what, holds, Boolean, patienceMs);

type Query = (text: string) => Promise<Any[]>;

/** Asked of the database: the API counts a list to 10,000. */
const count = async (query: Query, status: string): Promise<number> =>
  (await query(`select count(*)::int from sms_standings where status = '${status}'`))[0].count;

async function listAll(call: Client, first: string): Promise<Any[]> {
  const found = [];
  for (let place = first; place; ) {
    const { results, next } = await call('GET', place);
    found.push(...results);
    place = next ? next.slice(next.indexOf('/v2/')) : '';
  }
  return found;
}

/**
 * Nothing is on its way any more: what still waits, waits for a receipt, and the centre has given all receipts. One that came before
 * the answer waits for that, and an answer that is only late has half a minute: then the receipt is placed by the numbers it names.
 */
async function settled(query: Query, smsc: Smsc): Promise<void> {
  const taken = () => smsc.received.filter(({ message }) => message).length;
  const told = () => smsc.deliveries.filter(({ status }) => status === 0).length;
  await comes('everything is sent and told', async () => {
    const unsent = await query(`
      select from sms_standings as standing left join sms_states as state using (account_id, uuid)
      where standing.status = 'QUEUED' and coalesce(status_description, '') not like '%It waits for its receipt.'`);
    return unsent.length === 0 && told() >= taken();
  });
  await query(`update sms_early_receipts set received = received - interval '31 seconds'`);
  // Whoever was killed and whatever answer was lost.
  await comes('what the centre took as a whole is delivered', async () => {
    return (await count(query, 'SENT')) === 0 && (await count(query, 'DELIVERED')) === takenWhole(smsc).size;
  });
}

const partOf = ({ short_message: octets, esm_class }: Smsc['received'][number]['pdu']): number =>
  ((esm_class ?? 0) & 0x40) === 0 ? 1 : octets![5]!;

/** No part of any message was taken twice. */
function assertNoDoubles({ received }: Smsc): void {
  const taken = received.filter(({ message }) => message).map(({ pdu }) => `${pdu.destination_addr} ${partOf(pdu)}`);
  const seen = new Set<string>();
  assert.deepEqual(
    taken.filter((part) => seen.size === seen.add(part).size),
    [],
  );
}

/** The numbers whose message the centre has all parts of. */
function takenWhole({ received }: Smsc): Set<string> {
  const taken = received.filter(({ message }) => message);
  const parts = Map.groupBy(taken, ({ pdu }) => `+${pdu.destination_addr}`);
  const all = Array.from({ length: total }, (_, index) => [toOf(index), index % 10 === 0 ? 3 : 1] as const);
  return new Set(all.filter(([to, count]) => parts.get(to)?.length === count).map(([to]) => to));
}
