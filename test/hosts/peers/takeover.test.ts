// Connections that one process holds at a time go over to another host; calls stay where they are.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import pg from 'pg';
import { startSmsc } from '../../../simulators/smsc/index.ts';
import { createTestDatabase, type TestDatabase } from '../../kit/database.ts';
import { startCarrier, type TestCarrier } from '../../kit/sip/far-carrier.ts';
import { until } from '../../kit/until.ts';
import { type Client, makeClient } from '../client.ts';
import { type Host, type Hosts, hostsToken, makeHosts } from '../hosts.ts';

const number = '+442079460101';
const trunkPassword = 'a good password';

describe('Two hosts', { timeout: 1_800_000 }, () => {
  let database: TestDatabase;
  let admin: pg.Client;
  let all: Hosts;
  let client: Client;
  const undo: (() => Promise<unknown>)[] = [];
  before(async () => {
    database = await createTestDatabase();
    admin = new pg.Client(database.connection);
    await admin.connect();
    all = await makeHosts(['one', 'two'], {
      DATABASE_URL: database.url,
      SMPP_ALLOW: '127.0.0.1',
      SIP_ALLOW: '127.0.0.0/8',
      SIP_HOST: '127.0.0.1',
      CALL_DRAIN_SECONDS: '600',
    });
    client = makeClient(all.urls, hostsToken);
    await Promise.all(all.hosts.map((host) => host.start()));
    await client.send('POST', '/v2/number/', { number, target_number: '+447700900999' });
  });
  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step();
  });
  after(async () => {
    for (const host of all?.hosts ?? []) await host.kill();
    await all?.stop();
    await admin?.end();
    await database?.drop();
  });

  /** The host whose process has this number, and the other one. */
  async function hostOf(worker: number): Promise<{ holder: Host; other: Host }> {
    const { rows } = await admin.query('select pid from processes where worker = $1', [worker]);
    const holder = all.hosts.find(({ parley }) => parley.pid === rows[0].pid)!;
    return { holder, other: all.hosts.find((host) => host !== holder)! };
  }
  const one = async (text: string, values: unknown[] = []) => (await admin.query(text, values)).rows[0];
  const ownerOf = async (table: string): Promise<number> =>
    (await until(`somebody has it (${table})`, () => one(`select owner from ${table} where owner is not null`))).owner;

  it('a link over SMPP: when its holder is killed the other one binds, and messages go on', async () => {
    const smsc = await startSmsc({ settings: { receiptAfterMs: 10 } });
    undo.push(() => smsc.close());
    const { host, port } = smsc;
    await client.send('POST', '/v2/sms-senders/', { sender: 'Parley' });
    const link = { name: 'Centre', host, port, system_id: 'parley', password: 'parley' };
    const { uuid: linkId } = await client.send('POST', '/v2/sms-links/', link);
    undo.push(() => client.send('DELETE', `/v2/sms-links/${linkId}/`));
    const { holder, other } = await hostOf(await ownerOf('sms_links'));
    const send = async (n: number): Promise<void> => {
      const body = { from: 'Parley', to: `+44770000${n}8`, text: `Number ${n}` };
      const { uuid } = await client.send('POST', '/v2/send-sms/', body, `sms ${n}`);
      await until(
        `SMS ${n} is delivered`,
        () => client.send('GET', `/v2/send-sms/${uuid}/`),
        ({ status }) => status === 'DELIVERED',
      );
    };
    for (let n = 1000; n < 1010; n++) await send(n);
    const before = new Set(smsc.connections);
    assert.equal(before.size, 1, 'one process has it');

    await holder.kill();
    for (let n = 1010; n < 1020; n++) await send(n);
    const [now, ...others] = smsc.connections;
    assert.ok(now && !before.has(now), 'another bind');
    assert.equal(others.length, 0, 'one process has it');
    assert.equal((await hostOf(await ownerOf('sms_links'))).holder, other);
    assert.equal(new Set(smsc.received.map(({ pdu }) => pdu.destination_addr)).size, 20);
    assert.equal(smsc.received.length, 20, 'nobody twice');
    await holder.start();
    assert.equal((await hostOf(await ownerOf('sms_links'))).holder, other, 'it stays where it is');
  });

  describe('a trunk', () => {
    let carrier: TestCarrier;
    before(async () => {
      carrier = await startCarrier('127.0.0.2', { password: trunkPassword });
      await client.send('POST', '/v2/sip-trunks/', {
        name: 'Carrier',
        host: carrier.address,
        port: carrier.port,
        username: 'parley',
        password: trunkPassword,
        register: true,
      });
      await until('it is registered', () => carrier.registered.length > 0);
    });
    after(() => carrier.close());

    /** A call to the carrier's side, once they talk; who has it, and who has not. */
    async function talk() {
      const before = carrier.taken.length;
      const people = { to: '+447700900222', bridge_to: '+447700900333' };
      const { uuid } = await client.send('POST', '/v2/voice/calls/', { from: number, ...people });
      const read = () => client.send('GET', `/v2/voice/calls/${uuid}/`);
      await until('they talk', read, ({ status }) => status === 'IN_PROGRESS');
      await until('both are called', () => carrier.taken.length === before + 2);
      const { claimed_by } = await one('select claimed_by from calls_under_way where uuid = $1', [uuid]);
      const taken = carrier.taken[before]!;
      return { uuid, read, taken, ...(await hostOf(claimed_by)) };
    }
    const registrations = () => carrier.registered.filter(({ expires }) => expires !== '0').length;

    it('a call outlives the other host; a host that is killed leaves its trunk to the other', async () => {
      const call = await talk();
      const known = registrations();
      const { holder: registered } = await hostOf(await ownerOf('sip_trunk_states'));
      await call.other.kill();
      if (registered === call.other) await until('the other one registers', () => registrations() > known);
      await call.other.start();
      // Whoever takes a call for lost has looked by then.
      await until('the host is seen again', async () => (await one('select count(*)::int as n from processes')).n >= 2);
      assert.equal((await call.read()).status, 'IN_PROGRESS');
      assert.deepEqual(call.taken.ends, []);
      await client.send('POST', `/v2/voice/calls/${call.uuid}/hangup/`, {});
      const ended = await until('it ends', call.read, ({ status }) => status === 'ENDED');
      assert.deepEqual([ended.result, ended.hung_up_by], ['ANSWERED', 'API']);

      const { holder, other } = await hostOf(await ownerOf('sip_trunk_states'));
      const before = registrations();
      const contactBefore = carrier.registered.at(-1)!.contact;
      await holder.kill();
      await until('the other one registers', () => registrations() > before);
      assert.notEqual(carrier.registered.at(-1)!.contact, contactBefore);
      assert.equal((await hostOf(await ownerOf('sip_trunk_states'))).holder, other);
      await holder.start();
    });

    it('a host that is stopped leaves its trunk to the other, and goes on with its calls until they end', async () => {
      const call = await talk();
      // It has the trunk, too: the other one is started anew, and takes nothing that is held.
      const { holder: registered } = await hostOf(await ownerOf('sip_trunk_states'));
      if (registered !== call.holder) {
        await call.other.kill();
        await until('it registers', async () => {
          return (await hostOf(await ownerOf('sip_trunk_states'))).holder === call.holder;
        });
        await call.other.start();
      }
      const known = registrations();
      call.holder.parley.signal('SIGTERM');
      await until('the other one registers', () => registrations() > known);
      assert.deepEqual(call.taken.ends, []);
      const place = `/v2/voice/calls/${call.uuid}/`;
      const at = all.hosts.indexOf(call.other);
      const read = async () => (await client.ask(at, 'GET', place)).body;
      assert.equal((await read()).status, 'IN_PROGRESS');
      call.taken.call!.hangUp();
      assert.equal(await call.holder.parley.ended, 0, call.holder.parley.output());
      const ended = await read();
      assert.deepEqual([ended.status, ended.result, ended.hung_up_by], ['ENDED', 'ANSWERED', 'CALLEE']);
    });
  });
});
