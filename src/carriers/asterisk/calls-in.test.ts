import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Pair, startPair } from '../../../test/kit/asterisk/carrier-pair.ts';
import { until } from '../../../test/kit/until.ts';

let pair: Pair;
beforeEach(async () => {
  pair = await startPair();
});
afterEach(() => pair.close());

describe('Asterisk › calls that come in', () => {
  it('rings, is answered, hears a sound, and is ended by us', async () => {
    const { call, channel } = await pair.receive();
    assert.deepEqual(
      [call.carrier, call.accountId, call.from, call.to],
      ['asterisk', null, '+447700900111', '+441614960000'],
    );
    const stopRinging = call.leg.playRinging();
    await call.leg.answer();
    stopRinging();
    await call.leg.play(pair.sound);
    assert.deepEqual(channel.done.slice(0, 2), ['ring', 'answer']);
    assert.match(channel.done[2]!, /^play sound:\/.+\/sounds\/[0-9a-f]{64}$/);
    await call.leg.hangUp();
    assert.deepEqual(await call.leg.ended, { by: 'us', code: 200, description: 'Hung up.' });
    assert.equal(pair.fake.channels.size, 0);
  });

  it('the dialplan says which number was called, and a withheld caller has none', async () => {
    pair.fake.call('s', { from: 'Anonymous' }, ['+441614960001']);
    await until('it is there', () => pair.calls.length === 1);
    assert.deepEqual([pair.calls[0]!.from, pair.calls[0]!.to], ['', '+441614960001']);
  });

  it('one that the dialplan has answered is not answered again, and refusing it hangs up', async () => {
    const { call } = await pair.receive({ state: 'Up' });
    await call.leg.answer();
    assert.equal(pair.asked('POST', /answer$/).length, 0);
    await call.leg.reject(486);
    assert.equal((await call.leg.ended).code, 200);
  });

  for (const [code, cause] of [
    [404, '1'],
    [486, '17'],
    [503, '34'],
    [603, '21'],
    [599, '34'],
    [499, '21'],
  ] as const) {
    it(`is refused with ${code} as cause ${cause}`, async () => {
      const { call } = await pair.receive();
      await call.leg.reject(code);
      assert.deepEqual(await call.leg.ended, { by: 'us', code, description: 'Refused.' });
      assert.equal(pair.asked('DELETE', /^channels\//)[0]!.query.reason_code, cause);
    });
  }

  it('the caller who hangs up before the answer ends it; nothing that is asked then matters', async () => {
    const { call, channel } = await pair.receive();
    call.leg.playRinging();
    pair.fake.hangUp(channel);
    assert.deepEqual(await call.leg.ended, {
      by: 'peer',
      code: 487,
      description: 'The caller hung up before the answer.',
    });
    const before = pair.fake.requests.length;
    await call.leg.answer();
    await call.leg.reject(404);
    await call.leg.play(pair.sound);
    call.leg.playRinging()();
    assert.equal(await call.leg.gather({ most: 1, finishKey: '#', patienceMs: 60_000 }), '');
    await call.leg.hangUp();
    await pair.engine.bridge(call.leg, call.leg);
    const recording = pair.engine.record([call.leg], { path: '/nowhere' });
    assert.deepEqual(await recording.stop(), { seconds: 0 });
    assert.equal(pair.fake.requests.slice(before).filter(({ path }) => path[0] !== 'applications').length, 0);
  });

  it('the caller who hangs up while something is played, or while digits are awaited, ends that', async () => {
    pair.fake.playMs = 60_000;
    const { call, channel } = await pair.receive();
    await call.leg.answer();
    const playing = call.leg.play(pair.sound);
    await until('it plays', () => channel.done.length === 2);
    pair.fake.hangUp(channel);
    await playing;
    assert.deepEqual(await call.leg.ended, { by: 'peer', code: 200, description: 'Hung up.' });

    const second = await pair.receive();
    await second.call.leg.answer();
    const gathered = second.call.leg.gather({ most: 4, finishKey: '#', patienceMs: 60_000 }, pair.sound);
    await until('it plays', () => second.channel.done.length === 2);
    pair.fake.press(second.channel, '1');
    pair.fake.hangUp(second.channel);
    assert.equal(await gathered, '1');
  });

  it('a network that breaks a call is told apart from a person who hangs up', async () => {
    const { call, channel } = await pair.receive({ state: 'Up' });
    pair.fake.hangUp(channel, 38);
    assert.deepEqual(await call.leg.ended, { by: 'network', code: 500, description: 'Network out of order' });
  });

  it('digits end the prompt, and are collected up to the finishing key', async () => {
    pair.fake.playMs = 60_000;
    const { call, channel } = await pair.receive();
    await call.leg.answer();
    const gathered = call.leg.gather({ most: 20, finishKey: '#', patienceMs: 60_000 }, pair.sound);
    await until('the prompt plays', () => channel.done.length === 2);
    pair.fake.press(channel, '42#9');
    assert.equal(await gathered, '42');
    await until('the prompt is stopped', () => pair.asked('DELETE', /^playbacks\//).length === 1);

    const enough = call.leg.gather({ most: 2, finishKey: '#', patienceMs: 60_000 });
    pair.fake.press(channel, '123');
    assert.equal(await enough, '91', 'what was pressed after the end answers the next question');
    assert.equal(await call.leg.gather({ most: 2, finishKey: '#', patienceMs: 20 }), '23');
    assert.equal(await call.leg.gather({ most: 2, finishKey: '#', patienceMs: 20 }), '');
  });

  it('digits are collected also when the prompt cannot be played', async () => {
    const { call, channel } = await pair.receive({ state: 'Up' });
    pair.fake.isPlayable = () => false;
    const gathered = call.leg.gather({ most: 1, finishKey: '#', patienceMs: 60_000 }, pair.sound);
    await until('it was tried', () => channel.done.length === 1);
    pair.fake.press(channel, '5');
    assert.equal(await gathered, '5');
  });

  it('an answer that Asterisk refuses is told; of a channel that is gone it is the end', async () => {
    const { call } = await pair.receive();
    pair.fake.refuse = ({ path }) => (path[2] === 'answer' ? 500 : undefined);
    await assert.rejects(call.leg.answer(), /Asterisk answered 500/);
    pair.fake.refuse = ({ path }) => (path[2] === 'answer' ? 404 : undefined);
    await call.leg.answer();
    assert.equal((await call.leg.ended).by, 'network');
  });

  it('a sound that is stopped before Asterisk has heard of it is stopped all the same', async () => {
    pair.fake.playMs = 60_000;
    const { call, channel } = await pair.receive({ state: 'Up' });
    pair.fake.delayMs = ({ path }) => (path[2] === 'play' ? 100 : 0);
    const stopping = new AbortController();
    const playing = call.leg.play(pair.sound, { signal: stopping.signal });
    await until('it was asked for', () => pair.asked('POST', /play/).length === 1);
    stopping.abort();
    await playing;
    pair.fake.playMs = 5;
    await call.leg.play(pair.sound);
    assert.equal(channel.done.length, 2, 'the second did not wait for the first');
  });

  it('after the answer ringing is a tone, which ends before a sound begins', async () => {
    const { call, channel } = await pair.receive({ state: 'Up' });
    const stop = call.leg.playRinging();
    await until('it rings', () => channel.done.length === 1);
    stop();
    await call.leg.play(pair.sound);
    assert.equal(channel.done[0], 'play tone:ring');
  });

  it('a sound that Asterisk cannot play, or that is not there, is told', async () => {
    const { call } = await pair.receive({ state: 'Up' });
    pair.fake.isPlayable = () => false;
    await assert.rejects(call.leg.play(pair.sound), /could not play sound:/);
    await assert.rejects(call.leg.play({ path: '/nowhere', seconds: 1 }), /ENOENT/);
    await call.leg.hangUp();
  });

  it('no more calls are taken while it stops; those that there are go on', async () => {
    const { call } = await pair.receive({ state: 'Up' });
    await pair.stopListening();
    const channel = pair.fake.call('+441614960000');
    await until('it is refused', () => !pair.fake.channels.has(channel.id));
    assert.equal(pair.asked('DELETE', /^channels/)[0]!.query.reason_code, '34');
    await call.leg.play(pair.sound);
    assert.equal(pair.calls.length, 1);
  });
});
