import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Pair, startPair } from '../../../test/kit/asterisk/carrier-pair.ts';
import { presentChannel } from '../../../test/kit/asterisk/fake-channels.ts';
import { until } from '../../../test/kit/until.ts';
import { endpointOf } from './dial.ts';

let pair: Pair;
beforeEach(async () => {
  pair = await startPair();
});
afterEach(() => pair.close());

describe('Asterisk › calls that we make', () => {
  it('is answered, says who calls, and is ended by them', async () => {
    const leg = pair.dial({ to: '+44 7700 900123' });
    assert.deepEqual(await leg.outcome, { kind: 'answered' });
    const [request] = pair.asked('POST', /^channels\/parley-[0-9a-f-]{36}$/);
    assert.deepEqual(request!.query, {
      endpoint: 'PJSIP/+447700900123@trunk',
      app: 'parley',
      callerId: '+441614960000',
      timeout: '15',
    });
    assert.equal((await pair.engine.status('a'))[0]!.calls, 1);
    pair.fake.hangUp(pair.channelOf(leg));
    assert.deepEqual(await leg.ended, { by: 'peer', code: 200, description: 'Hung up.' });
    assert.equal((await pair.engine.status('a'))[0]!.calls, 0);
  });

  it('shows the caller’s own number, and none where it is withheld', async () => {
    await pair.dial({ from: '+15550001', onBehalfOf: '+441614960000' }).outcome;
    await pair.dial({ from: '', onBehalfOf: '+441614960000' }).outcome;
    const [kept, withheld] = pair.asked('POST', /^channels\/[^/]+$/);
    assert.equal(kept!.query.callerId, '+15550001');
    assert.deepEqual(kept!.body.variables, { 'REDIRECTING(from-num)': '+441614960000' });
    assert.equal(withheld!.query.callerId, '+441614960000');
    assert.equal(withheld!.body.variables!['CALLERID(pres)'], 'prohib');
  });

  for (const [cause, techCause, kind, code] of [
    [17, undefined, 'busy', 486],
    [21, undefined, 'refused', 603],
    [19, undefined, 'unanswered', 480],
    [1, undefined, 'unreachable', 404],
    [34, undefined, 'unreachable', 503],
    [0, undefined, 'unanswered', 480],
    [127, 600, 'busy', 600],
    [21, 403, 'refused', 403],
  ] as const) {
    it(`cause ${cause}${techCause ? ` with SIP’s ${techCause}` : ''} is ${kind}`, async () => {
      pair.fake.manner = techCause ? { cause, techCause } : { cause };
      const leg = pair.dial();
      const outcome = await leg.outcome;
      assert.deepEqual([outcome.kind, outcome.kind !== 'answered' && outcome.code], [kind, code]);
      assert.equal((await leg.ended).code, code);
    });
  }

  it('a phone that rings too long falls silent: unanswered', async () => {
    pair.fake.manner = 'ring';
    const leg = pair.dial({ timeoutMs: 100 });
    assert.deepEqual(await leg.outcome, { kind: 'unanswered', code: 480, description: 'Nobody answered.' });
    assert.equal((await leg.ended).by, 'peer');
    assert.equal(pair.fake.channels.size, 0);
  });

  it('a caller who gives up is told at once, and the phone falls silent even if Asterisk had not begun', async () => {
    pair.fake.manner = 'ring';
    pair.fake.delayMs = ({ method }) => (method === 'POST' ? 100 : 0);
    const leg = pair.dial();
    const hangingUp = leg.hangUp();
    assert.equal((await leg.outcome).kind, 'cancelled');
    await hangingUp;
    assert.deepEqual(await leg.ended, { by: 'us', code: 487, description: 'Cancelled.' });
    const next = pair.dial();
    await until('the next one rings', () => pair.fake.channels.has(next.id));
    assert.deepEqual([...pair.fake.channels.keys()], [next.id]);
  });

  it('one that answers in the moment we give up is hung up', async () => {
    const channel = pair.fake.call('s', { id: 'parley-late', state: 'Up' });
    await until('it is hung up', () => !pair.fake.channels.has(channel.id));
    assert.deepEqual(pair.calls, []);
  });

  it('what Asterisk refuses is unreachable, whatever its status', async () => {
    for (const status of [400, 404, 409, 500]) {
      pair.fake.refuse = ({ method }) => (method === 'POST' ? status : undefined);
      const leg = pair.dial();
      const outcome = await leg.outcome;
      assert.deepEqual(outcome, {
        kind: 'unreachable',
        code: 503,
        description: `Asterisk answered ${status}: Refused by the test`,
      });
      assert.equal((await leg.ended).by, 'network');
    }
  });

  it('the person who hangs up during the whisper ends it', async () => {
    pair.fake.playMs = 60_000;
    const leg = pair.dial();
    await leg.outcome;
    const whisper = leg.play(pair.sound);
    await until('it plays', () => pair.channelOf(leg).done.length === 1);
    pair.fake.hangUp(pair.channelOf(leg));
    await whisper;
    assert.equal((await leg.ended).by, 'peer');
  });

  it('events that come in another order, twice, or that nobody knows do no harm', async () => {
    const leg = pair.dial();
    await leg.outcome;
    const channel = presentChannel(pair.channelOf(leg));
    pair.fake.emit({ type: 'StasisStart', args: [], channel });
    pair.fake.emit({ type: 'SomethingNew', channel });
    pair.fake.emit({ type: 'ChannelDestroyed' });
    pair.fake.emit({ type: 'ChannelDtmfReceived', channel: { id: 7 } });
    pair.fake.emit({ type: 'PlaybackFinished', playback: null });
    pair.fake.emit({ type: 'RecordingFinished', recording: { name: 'nobody’s' } });
    pair.fake.say('no JSON at all');
    pair.fake.say('[]');
    pair.fake.emit({ type: 'ChannelDestroyed', cause: 16, cause_txt: 'Normal Clearing', channel });
    pair.fake.emit({ type: 'StasisEnd', channel });
    pair.fake.emit({ type: 'ChannelDestroyed', cause: 38, cause_txt: '', channel });
    assert.deepEqual(await leg.ended, { by: 'peer', code: 200, description: 'Hung up.' });
    assert.equal((await pair.dial().outcome).kind, 'answered');
  });

  it('a channel that left us without an end is over, and so is one that Asterisk does not know', async () => {
    const left = pair.dial();
    await left.outcome;
    const channel = presentChannel(pair.channelOf(left));
    pair.fake.emit({ type: 'ChannelHangupRequest', channel, cause: 38 });
    pair.fake.emit({ type: 'StasisEnd', channel });
    assert.equal((await left.ended).by, 'network');

    const unknown = pair.dial();
    await unknown.outcome;
    pair.fake.channels.delete(unknown.id);
    await unknown.play(pair.sound);
    assert.deepEqual(await unknown.ended, {
      by: 'network',
      code: 408,
      description: 'Asterisk does not know the call any more.',
    });
  });

  it('hanging up ends the leg also when Asterisk refuses', async () => {
    const leg = pair.dial();
    await leg.outcome;
    pair.fake.refuse = ({ method }) => (method === 'DELETE' ? 500 : undefined);
    await leg.hangUp();
    assert.deepEqual(await leg.ended, { by: 'us', code: 200, description: 'Hung up.' });
  });

  it('what a command is refused for is told while the leg goes on', async () => {
    const leg = pair.dial();
    await leg.outcome;
    pair.fake.refuse = ({ path }) => (path[2] === 'play' ? 409 : undefined);
    await assert.rejects(leg.play(pair.sound), /Asterisk answered 409/);
    pair.fake.refuse = () => undefined;
    await leg.play(pair.sound);
  });

  it('two are connected, and left alone when one hangs up', async () => {
    const { call } = await pair.receive();
    const leg = pair.dial();
    await leg.outcome;
    await call.leg.answer();
    const stopRinging = call.leg.playRinging();
    await until('it rings', () => pair.channelOf(call.leg).done.includes('play tone:ring'));
    stopRinging();
    const bridged = pair.engine.bridge(call.leg, leg);
    const members = (): string[] => [...pair.fake.bridges.values()].flatMap((some) => [...some]);
    await until('they hear each other', () => members().length === 2);
    assert.equal(pair.asked('POST', /^bridges\/[^/]+$/)[0]!.query.type, 'mixing,dtmf_events');
    pair.fake.hangUp(pair.channelOf(leg));
    await bridged;
    assert.equal(pair.fake.bridges.size, 0);
    await call.leg.play(pair.sound);
    await call.leg.hangUp();
  });

  it('a connection that cannot be made is told, unless it is because one has hung up', async () => {
    const [one, other] = [pair.dial(), pair.dial()];
    await Promise.all([one.outcome, other.outcome]);
    pair.fake.refuse = ({ path }) => (path[2] === 'addChannel' ? 409 : undefined);
    await assert.rejects(pair.engine.bridge(one, other), /Asterisk answered 409/);
    assert.equal(pair.fake.bridges.size, 0);
    const bridged = pair.engine.bridge(one, other);
    pair.fake.hangUp(pair.channelOf(other));
    await bridged;
  });
});

describe('Asterisk › what is dialled', () => {
  const endpoints = { number: 'PJSIP/{digits}@trunk', address: 'PJSIP/trunk/{address}' };
  it('numbers with and without a plus, and plain SIP addresses', () => {
    assert.equal(endpointOf('+44 (7700) 900123', endpoints), 'PJSIP/447700900123@trunk');
    assert.equal(endpointOf('sip:desk@pbx.example.com:5080', endpoints), 'PJSIP/trunk/sip:desk@pbx.example.com:5080');
  });

  it('nothing that means more to Asterisk than an address', () => {
    assert.throws(() => endpointOf('sip:a@b&Local/1@c', endpoints), /cannot be called/);
    assert.throws(() => endpointOf('sip:a@b/c', endpoints), /cannot be called/);
    assert.throws(() => endpointOf('&Local/x', endpoints), /no number/);
    assert.throws(() => endpointOf('sip:a@b', { ...endpoints, address: '' }), /not called by this Asterisk/);
  });
});
