import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { startCarrier, type TestCarrier } from '../../../test/kit/sip/far-carrier.ts';
import { until } from '../../../test/kit/until.ts';
import { graceMs } from '../../platform/db/lease.ts';
import type { IncomingCall } from '../ports/voice.ts';
import { makeSip, type SipVoice } from './engine.ts';
import { header } from './signalling/message/message.ts';
import { addStatesAnyAccount, findTrunksAnyAccount } from './trunks/queries.ts';
import { trunkLeases } from './trunks/registrar.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api', SIP_ALLOW: '127.0.0.0/8' });
});
after(() => app.close());

const settings = { host: '127.0.0.1', port: 0, publicAddress: '', rtpPorts: [31_000, 31_999], rtpThreads: 1 } as const;
const number = '+441614960000';

describe('calls over trunks', () => {
  let sip: SipVoice;
  let listening: { stop(): Promise<void> };
  let carrier: TestCarrier;
  let calls: IncomingCall[];
  /** What happens to calls that come in. */
  let onCall: (call: IncomingCall) => Promise<void>;

  /** How the speech of each leg that ended arrived. */
  let heard: { received: number; lost: number }[];
  const onSpeech = (stats: (typeof heard)[0]): void => void heard.push(stats);
  const start = (): SipVoice => makeSip({ ...app.deps, guard: app.deps.guards.sip, settings, onSpeech }).voice;
  const addTrunk = async (fields: object, token?: string): Promise<string> => {
    const trunk = await app.call('POST', '/v2/sip-trunks/', fields, token === undefined ? {} : { token });
    assert.equal(trunk.status, 201, JSON.stringify(trunk.body));
    return trunk.body.uuid;
  };
  const dial = (to = '+447700900123', more: object = {}) =>
    sip.dial({ accountId: app.accountId, from: number, to, timeoutMs: 10_000, ...more });

  beforeEach(async () => {
    calls = [];
    heard = [];
    onCall = async () => {};
    carrier = await startCarrier('127.0.0.2');
    sip = start();
    listening = sip.listen(async (call) => {
      calls.push(call);
      await onCall(call);
    });
  });
  afterEach(async () => {
    await listening.stop();
    await sip.close();
    await carrier.close();
    await app.deps.db.deleteFrom('sip_trunks').execute();
  });
  const ready = async (fields: object = {}): Promise<string> => {
    const uuid = await addTrunk({ name: 'Main', host: carrier.address, port: carrier.port, ...fields });
    await until('it can dial', () => sip.canDial(app.accountId));
    return uuid;
  };

  it('it listens from the first enabled trunk to the last', async () => {
    assert.equal(sip.port(), undefined);
    const uuid = await ready();
    assert.ok(sip.port());
    await app.call('PATCH', `/v2/sip-trunks/${uuid}/`, { enabled: false });
    await until('it listens no more', () => sip.port() === undefined);
    assert.equal(await sip.canDial(app.accountId), false);
    assert.deepEqual(await dial().outcome, {
      kind: 'unreachable',
      code: 503,
      description: 'SIP does not listen here.',
    });
  });

  it('a call is answered, says who calls, and is ended by us or by them', async () => {
    await ready({ from_domain: 'parley.example.com' });
    const ours = dial('+44 7700 900123');
    assert.deepEqual(await ours.outcome, { kind: 'answered' });
    const [{ request, ends }] = carrier.taken as [TestCarrier['taken'][0]];
    assert.equal(request.uri, `sip:+447700900123@127.0.0.2:${carrier.port}`);
    assert.match(header(request, 'from')!, /^<sip:\+441614960000@parley\.example\.com>;tag=/);
    assert.equal(header(request, 'call-id'), ours.id);
    await ours.hangUp();
    assert.deepEqual(await ours.ended, { by: 'us', code: 200, description: 'Hung up.' });
    await until('they hear of it', () => ends.length === 1);
    await until('what was heard is told', () => heard.length === 1);
    assert.deepEqual([heard[0]!.received, heard[0]!.lost], [0, 0]);
    assert.deepEqual(sip.linkStates!(), ['UP']);
    const theirs = dial();
    await theirs.outcome;
    carrier.taken[1]!.call!.hangUp();
    assert.deepEqual(await theirs.ended, { by: 'peer', code: 200, description: 'Hung up.' });
  });

  it('the caller’s own number, and none where it is withheld', async () => {
    await ready();
    await dial('+447700900123', { from: '+15550001', onBehalfOf: number }).outcome;
    await dial('+447700900123', { from: '', onBehalfOf: number }).outcome;
    const [kept, withheld] = carrier.taken.map(({ request }) => request);
    assert.match(header(kept!, 'from')!, /^<sip:\+15550001@/);
    assert.match(header(kept!, 'diversion')!, /^<sip:\+441614960000@/);
    assert.match(header(withheld!, 'from')!, /^"Anonymous" <sip:anonymous@anonymous\.invalid>/);
    assert.equal(header(withheld!, 'privacy'), 'id');
  });

  it('busy, refused, unanswered and unreachable are told apart', async () => {
    await ready();
    for (const [status, kind] of [
      [486, 'busy'],
      [600, 'busy'],
      [603, 'refused'],
      [403, 'refused'],
      [480, 'unanswered'],
      [404, 'unreachable'],
      [302, 'unreachable'],
      [503, 'unreachable'],
    ] as const) {
      carrier.manner = status;
      const leg = dial();
      const outcome = await leg.outcome;
      assert.deepEqual([outcome.kind, outcome.kind !== 'answered' && outcome.code], [kind, status]);
      await leg.ended;
    }
  });

  it('a phone that rings too long, or whose caller gives up, falls silent', async () => {
    await ready();
    carrier.manner = 'ring';
    assert.equal((await dial('+447700900123', { timeoutMs: 5_000 }).outcome).kind, 'unanswered');
    const leg = dial();
    await until('it rings', () => carrier.taken.length === 2);
    await leg.hangUp();
    assert.equal((await leg.outcome).kind, 'cancelled');
    await until('both are cancelled', () => carrier.taken.every(({ ends }) => ends[0]?.code === 487));
  });

  it('what one trunk cannot do is tried by the next; a person’s refusal is not', async (t) => {
    const second = await startCarrier('127.0.0.4');
    t.after(() => second.close());
    carrier.manner = 503;
    await ready({ weight: 100 });
    await addTrunk({ name: 'Second', host: second.address, port: second.port });
    await addTrunk({ name: 'Nobody', host: '127.0.0.5', port: 9 });
    await until('all are known', async () =>
      (await sip.status(app.accountId)).every(({ lastError }) => !/No process/.test(lastError)),
    );
    assert.equal((await dial().outcome).kind, 'answered');
    assert.equal(second.taken.length, 1);
    [carrier.manner, second.manner] = [486, 486];
    assert.equal((await dial().outcome).kind, 'busy');
  });

  it('a SIP address is called where it is', async (t) => {
    await ready();
    const desk = await startCarrier('127.0.0.4');
    t.after(() => desk.close());
    assert.equal((await dial(`sip:desk@127.0.0.4:${desk.port}`).outcome).kind, 'answered');
    assert.equal(desk.taken[0]!.request.uri, `sip:desk@127.0.0.4:${desk.port}`);
    for (const wrong of ['sip:nonsense address', 'sips:desk@127.0.0.4:1', 'sip:']) {
      assert.equal((await dial(wrong).outcome).kind, 'unreachable', wrong);
    }
  });

  it('somebody else than the trunk who asks for proof gets none', async (t) => {
    await ready({ username: 'parley', password: 'a long secret' });
    const desk = await startCarrier('127.0.0.4', { password: 'a long secret' });
    t.after(() => desk.close());
    assert.equal((await dial(`sip:desk@127.0.0.4:${desk.port}`).outcome).kind, 'refused');
    assert.deepEqual(desk.taken, []);
  });

  for (const protocol of ['udp', 'tcp'] as const) {
    it(`a call comes in over ${protocol.toUpperCase()}: rings, is answered, and is ended by the caller`, async () => {
      await ready();
      onCall = async ({ leg }) => {
        leg.playRinging()();
        await leg.answer();
      };
      const { call, told } = await carrier.call(number, { port: sip.port()!, protocol });
      await until('it is answered', () => told.includes('answered'));
      assert.deepEqual(told, ['trying', 'ringing', 'answered']);
      const [{ accountId, from, to, leg, carrier: name }] = calls as [IncomingCall];
      assert.deepEqual([name, accountId, from, to], ['sip', app.accountId, '+447700900111', number]);
      call.hangUp();
      assert.deepEqual(await leg.ended, { by: 'peer', code: 200, description: 'Hung up.' });
      await leg.answer();
      await leg.play({ path: '/nowhere', seconds: 1 });
      await leg.hangUp();
    });
  }

  it('a call is rejected with the code that was asked for, or given up by the caller', async () => {
    await ready();
    onCall = ({ leg }) => leg.reject(404);
    const { told } = await carrier.call(number, { port: sip.port()! });
    await until('it is refused', () => told.includes('failed 404'));
    onCall = async ({ leg }) => void leg.playRinging();
    const { call } = await carrier.call(number, { port: sip.port()! });
    await until('it rings', () => calls.length === 2);
    call.hangUp();
    assert.deepEqual(await calls[1]!.leg.ended, {
      by: 'peer',
      code: 487,
      description: 'The caller hung up before the answer.',
    });
  });

  it('a caller who wants no name has none', async () => {
    await ready();
    await carrier.call(number, { port: sip.port()! }, '"Anonymous" <sip:anonymous@anonymous.invalid>');
    await until('it came', () => calls.length === 1);
    assert.equal(calls[0]!.from, '');
  });

  it('where accounts share a carrier, the number tells whose call it is', async () => {
    await ready();
    await addTrunk({ name: 'Theirs', host: carrier.address, port: carrier.port }, app.otherToken);
    await until('both are known', async () => {
      await carrier.call(number, { port: sip.port()! });
      await until('it came', () => calls.length > 0);
      return calls.splice(0)[0]!.accountId === null;
    });
  });

  it('calls from addresses of no trunk are refused', async (t) => {
    await ready();
    const stranger = await startCarrier('127.0.0.6');
    t.after(() => stranger.close());
    const { told } = await stranger.call(number, { port: sip.port()! });
    await until('it is refused', () => told.includes('failed 403'));
    assert.deepEqual(calls, []);
  });
});

describe('trunks that register', () => {
  it('prove who they are, are up, and take leave', async (t) => {
    const carrier = await startCarrier('127.0.0.2', { password: 'a long secret' });
    t.after(() => carrier.close());
    const engine = makeSip({ ...app.deps, guard: app.deps.guards.sip, settings }).voice;
    const listening = engine.listen(async () => {});
    const fields = {
      name: 'Registered',
      host: carrier.address,
      port: carrier.port,
      username: 'parley',
      register: true,
    };
    const { body } = await app.call('POST', '/v2/sip-trunks/', { ...fields, password: 'a long secret' });
    const status = async () => (await engine.status(app.accountId))[0];
    await until('it is up', async () => (await status())?.state === 'UP');
    assert.match(carrier.registered[0]!.contact, /^<sip:parley@127\.0\.0\.1:\d+>$/);
    assert.equal(carrier.registered[0]!.expires, '300');
    assert.ok((await status())!.latencyMs! >= 0);

    await app.call('PATCH', `/v2/sip-trunks/${body.uuid}/`, { password: 'a wrong one' });
    await until('it is down', async () => (await status())?.state === 'DOWN');
    assert.match((await status())!.lastError, /REGISTER was answered with 403/);
    await app.call('PATCH', `/v2/sip-trunks/${body.uuid}/`, { password: 'a long secret' });
    await until('it is up again', async () => (await status())?.state === 'UP');

    await listening.stop();
    await engine.close();
    assert.equal(carrier.registered.at(-1)!.expires, '0');
    assert.equal(
      (await app.deps.carriers.get('sip', 'voice').voice.status(app.accountId))[0]!.lastError,
      'No process looks after it.',
    );
    await app.deps.db.deleteFrom('sip_trunks').execute();
  });

  it('one that another process took is left to it, one that is disabled is given back, and both are taken up again', async (t) => {
    const { db } = app.deps;
    const carrier = await startCarrier('127.0.0.2', { password: 'a long secret' });
    t.after(() => carrier.close());
    const engine = makeSip({ ...app.deps, guard: app.deps.guards.sip, settings }).voice;
    const listening = engine.listen(async () => {});
    t.after(async () => {
      await listening.stop();
      await engine.close();
      await db.deleteFrom('sip_trunks').execute();
    });
    const { address: host, port } = carrier;
    const add = async (name: string, fields: object): Promise<string> =>
      (await app.call('POST', '/v2/sip-trunks/', { name, host, port, ...fields })).body.uuid;
    const registered = await add('One', { username: 'parley', register: true, password: 'a long secret' });
    const other = await add('Other', {});
    const ownerOf = async (trunk: string) =>
      (await db.selectFrom('sip_trunk_states').select('owner').where('trunk', '=', trunk).executeTakeFirst())?.owner;
    const me = app.deps.listener.workerNumber;
    const last = () => carrier.registered.at(-1)?.expires;
    const own = async (trunk: string) => until('it is ours', async () => (await ownerOf(trunk)) === me);
    await own(registered);
    await own(other);
    await until('it is registered', () => last() === '300');

    // 111 is the number of no process that lives: it is taken back when the grace is over.
    await db.updateTable('sip_trunk_states').set({ owner: 111 }).where('trunk', '=', registered).execute();
    await until('it takes leave', () => last() === '0');
    assert.equal(await ownerOf(other), me);
    await own(registered);
    await until('it is registered again', () => last() === '300');

    await app.call('PATCH', `/v2/sip-trunks/${registered}/`, { enabled: false });
    await until('it takes leave', () => last() === '0');
    await until('it is given back', async () => (await ownerOf(registered)) === null);
    await app.call('PATCH', `/v2/sip-trunks/${registered}/`, { enabled: true });
    await until('it is registered once more', () => last() === '300');
    await own(registered);
    assert.equal(await ownerOf(other), me);
  });

  it('each is looked after by one process, and by another when that is no more', async () => {
    const { db, listener } = app.deps;
    await app.call('POST', '/v2/sip-trunks/', { name: 'Owned', host: 'sip.example.com' });
    await addStatesAnyAccount(db, 'all');
    let nowMs = 0;
    const [alive, dead, late] = [listener.workerNumber, 111, 222].map((worker) => trunkLeases(db, worker, () => nowMs));
    const [trunk] = await dead!.take();
    assert.equal((await findTrunksAnyAccount(db, 'all'))[0]!.uuid, trunk);
    await alive!.take();
    nowMs += graceMs;
    assert.deepEqual([...(await alive!.take())], [trunk], 'its owner is no more');
    await late!.take();
    nowMs += graceMs;
    assert.equal((await late!.take()).size, 0, 'its owner lives');
    await app.call('PATCH', `/v2/sip-trunks/${trunk}/`, { enabled: false });
    await alive!.giveBack('unwanted');
    assert.equal((await late!.take()).size, 0, 'nobody looks after one that is not enabled');
    await app.call('PATCH', `/v2/sip-trunks/${trunk}/`, { enabled: true });
    assert.deepEqual([...(await late!.take())], [trunk]);
    await db.deleteFrom('sip_trunks').execute();
  });
});
