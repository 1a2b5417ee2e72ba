// Three hosts of the version before the newest migration are replaced by today's, one at a time, while a client sends.
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { createEmptyDatabase, type TestDatabase } from '../../kit/database.ts';
import { until } from '../../kit/until.ts';
import { type Client, makeClient } from '../client.ts';
import { checkOut, findEarlierVersion } from '../earlier-version.ts';
import { type Hosts, hostsToken, makeHosts } from '../hosts.ts';

const earlier = findEarlierVersion();
const skip = 'missing' in earlier && earlier.missing;
const atOnce = 6;
/** Between two changes, by each host. */
const served = 30;

describe('An upgrade of three hosts, one at a time', { skip, timeout: 1_800_000 }, () => {
  let database: TestDatabase;
  let old: ReturnType<typeof checkOut>;
  let all: Hosts;
  let client: Client;
  before(async () => {
    old = checkOut((earlier as { commit: string }).commit);
    database = await createEmptyDatabase();
    all = await makeHosts(['one', 'two', 'three'], { DATABASE_URL: database.url });
    client = makeClient(all.urls, hostsToken);
    for (const host of all.hosts) await host.start(old.program);
  });
  after(async () => {
    await all?.stop();
    await database?.drop();
    if (old) await rm(old.directory, { recursive: true, force: true });
  });

  it('fails no request that another try does not cure, and everything that was accepted arrives once', async (t) => {
    const accepted: { uuid: string; to: string }[] = [];
    let isOver = false;
    let next = 0;
    const sending = Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (!isOver) accepted.push(await sendOne(next++));
      }),
    );
    sending.catch(() => {});
    const goOn = async (): Promise<void> => {
      const before = accepted.length;
      await Promise.race([until('some are accepted', () => accepted.length >= before + 3 * served), sending]);
    };

    const list = await client.send('POST', '/v2/lists/', { name: 'From before' });
    await goOn();
    for (const host of all.hosts) {
      assert.equal(await host.stop(), 0, host.parley.output());
      await goOn();
      await host.start();
      await goOn();
    }
    isOver = true;
    await sending;
    t.diagnostic(`${accepted.length} accepted, tried again: ${JSON.stringify([...client.retried])}`);

    const ledger = await until(
      'everything is final',
      () => client.send('GET', '/v2/account/ledger/'),
      (now) => now.final.read + now.sms.final.delivered === accepted.length,
    );
    assert.deepEqual([ledger.unaccounted, ledger.sms.unaccounted], [0, 0]);
    assert.equal(ledger.accepted + ledger.sms.accepted, accepted.length);
    const phones = await readPhones();
    assert.deepEqual(phones.toSorted(), accepted.map(({ uuid, to }) => `${to} ${uuid}`).toSorted());
    assert.equal((await client.send('GET', `/v2/lists/${list.uuid}/`)).name, 'From before');
    for (const { parley } of all.hosts) assert.doesNotMatch(parley.output(), /"level":("error"|"fatal"|50|60)/);
  });

  /** By turns an SMS and a message, each to a phone of its own. */
  async function sendOne(index: number): Promise<{ uuid: string; to: string }> {
    const key = `message ${index}`;
    const to = `+44${1 + (index % 2)}${String(index).padStart(5, '0')}1111`;
    const [place, body] =
      index % 2 === 0
        ? ['/v2/send-sms/', { from: '+447700900900', to, text: `Number ${index}` }]
        : [
            '/v2/chatapp/messages/',
            {
              chatapp_number: '+447700900001',
              to_chatapp_number: to,
              type: 'TEMPLATE',
              template: { template_name: 'welcome' },
            },
          ];
    return { uuid: (await client.send('POST', place, body, key)).uuid, to };
  }

  /** What the sandbox's phones were handed. */
  async function readPhones(): Promise<string[]> {
    const admin = new pg.Client(database.connection);
    await admin.connect();
    const { rows } = await admin
      .query(`select '+' || phone_digits || ' ' || message as got from sandbox_messages where direction = 'OUTBOUND'`)
      .finally(() => admin.end());
    return rows.map(({ got }) => got);
  }
});
