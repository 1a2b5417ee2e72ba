import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { startPair } from '../../../../test/kit/asterisk/carrier-pair.ts';
import { until } from '../../../../test/kit/until.ts';

async function pairFor(t: TestContext, ...given: Parameters<typeof startPair>) {
  const pair = await startPair(...given);
  t.after(() => pair.close());
  return pair;
}

describe('Asterisk › the connection', () => {
  it('a restart of Asterisk ends every leg as broken, and calls are possible again', async (t) => {
    const pair = await pairFor(t);
    const { call } = await pair.receive();
    const leg = pair.dial();
    await leg.outcome;
    await call.leg.answer();
    pair.fake.playMs = 60_000;
    const playing = call.leg.play(pair.sound);
    const bridged = pair.engine.bridge(call.leg, leg);
    const gathered = leg.gather({ most: 1, finishKey: '#', patienceMs: 60_000 });
    pair.fake.restart();
    for (const one of [call.leg, leg]) {
      assert.deepEqual(await one.ended, {
        by: 'network',
        code: 408,
        description: 'Asterisk does not know the call any more.',
      });
    }
    await Promise.all([playing, bridged]);
    assert.equal(await gathered, '');
    await until('it is connected again', () => pair.engine.canDial('a'));
    assert.equal((await pair.dial().outcome).kind, 'answered');
  });

  it('a connection that comes back in time loses no call; what happened meanwhile is found out', async (t) => {
    const pair = await pairFor(t);
    pair.fake.manner = 'ring';
    const [stays, leaves, ringing] = [pair.dial(), pair.dial(), pair.dial()];
    await until(
      'they ring',
      () => [...pair.fake.channels.values()].filter(({ state }) => state === 'Ringing').length === 3,
    );
    pair.fake.playMs = 10;
    const { call } = await pair.receive({ state: 'Up' });
    pair.fake.breakEvents();
    const playing = call.leg.play(pair.sound);
    pair.channelOf(stays).state = 'Up';
    pair.fake.hangUp(pair.channelOf(leaves));
    assert.equal((await stays.outcome).kind, 'answered');
    assert.equal((await leaves.outcome).kind, 'unreachable');
    await playing;
    await ringing.hangUp();
    assert.equal((await ringing.outcome).kind, 'cancelled');
    await call.leg.hangUp();
  });

  it('a connection that stays away ends the legs, says why, and brings no calls about', async (t) => {
    const pair = await pairFor(t, {}, { graceMs: 50 });
    const leg = pair.dial();
    await leg.outcome;
    pair.fake.takesEvents = false;
    pair.fake.breakEvents();
    assert.deepEqual(await leg.ended, { by: 'network', code: 408, description: 'The connection to Asterisk is lost.' });
    await until('it is down', async () => (await pair.carrier.problem()) !== null);
    const status = async () => (await pair.engine.status('a'))[0]!;
    await until('it says why', async () => /refused the connection/.test((await status()).lastError));
    assert.equal((await status()).state, 'DOWN');
    assert.deepEqual(await pair.dial().outcome, {
      kind: 'unreachable',
      code: 503,
      description: 'Asterisk is not connected.',
    });
    pair.fake.takesEvents = true;
    await until('it is up again', async () => (await status()).state === 'UP');
    assert.equal(await pair.carrier.problem(), null);
    await until('the channel that nobody has any more is gone', () => pair.fake.channels.size === 0);
  });

  it('one that Asterisk has forgotten without closing it is made anew', async (t) => {
    const pair = await pairFor(t);
    let isForgotten = true;
    pair.fake.refuse = ({ path }) => (path[0] === 'applications' && isForgotten ? 404 : undefined);
    await until('it was given up', async () => !(await pair.engine.canDial('a')));
    isForgotten = false;
    await until('it is back', () => pair.engine.canDial('a'));
    assert.ok((await pair.engine.status('a'))[0]!.since.getTime() <= Date.now());
  });

  it('a wrong password is named', async (t) => {
    const pair = await pairFor(t);
    const stranger = pair.another({ password: 'wrong' });
    const listening = stranger.voice.listen(async () => {});
    const refused = 'Asterisk: Asterisk refuses the user or the password.';
    await until('it is refused', async () => (await stranger.problem()) === refused);
    await listening.stop();
    await stranger.voice.close();
  });

  it('the events are for the last who asked: the others wait', async (t) => {
    const pair = await pairFor(t, {}, { longestWaitMs: 60_000, firstWaitMs: 1 });
    pair.fake.emit({ type: 'ApplicationReplaced' });
    await until('it gives way', async () => !(await pair.engine.canDial('a')));
    assert.match((await pair.carrier.problem())!, /Another process took the application/);
  });

  it('channels that a dead process left are hung up; one that has just come is not', async (t) => {
    const pair = await pairFor(t, {}, { strayMs: 200 });
    pair.fake.breakEvents();
    const left = pair.fake.call('+441614960000', { state: 'Up' });
    await until('it is hung up', () => !pair.fake.channels.has(left.id));
    assert.deepEqual(pair.calls, []);
    const { call } = await pair.receive();
    await until('it was looked at again', () => pair.asked('GET', /^applications/).length > 8);
    assert.ok(pair.fake.channels.has(call.leg.id));
  });

  it('a process that takes no calls sees whether another one does', async (t) => {
    const pair = await pairFor(t);
    const other = pair.another().voice;
    const [up] = await other.status('a');
    assert.deepEqual([up!.name, up!.state, up!.lastError], ['parley', 'UP', '']);
    assert.equal(await other.canDial('a'), false);
    pair.fake.takesEvents = false;
    pair.fake.breakEvents();
    const [down] = await other.status('a');
    assert.deepEqual([down!.state, down!.lastError, down!.latencyMs], ['DOWN', 'No process is connected.', null]);
    await other.close();
  });
});
