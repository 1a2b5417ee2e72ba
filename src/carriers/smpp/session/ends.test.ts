import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import {
  answerTo,
  type ManualTiming,
  type RawPeer,
  type SessionStage,
  startRawPeer,
  startSessionStage,
  submit,
} from '../../../../test/kit/smpp/session-stage.ts';
import { until } from '../../../../test/kit/until.ts';
import { makePdu, type RequestPdu, Status } from '../codec/index.ts';
import { BindRefused, Closed, TimedOut } from '../errors.ts';
import { openSession } from './connect.ts';
import type { Handler } from './serving.ts';

let peer: RawPeer;
let timing: ManualTiming;
let open: SessionStage['open'];
let close: SessionStage['close'];

beforeEach(async () => {
  ({ peer, timing, open, close } = await startSessionStage());
});
afterEach(() => close());

const nobody: Handler = async () => undefined;

describe('bind', () => {
  const to = () => ({ host: '127.0.0.1', port: peer.port, systemId: 'parley', password: 'secret' });
  const options = { handles: [], handle: nobody };

  it('a refusal is told with its status, and the connection closed', async () => {
    const silent = await startRawPeer({ answersBind: false });
    const opening = openSession({ ...to(), port: silent.port }, 'receiver', options);
    const { sequence, system_id, password } = await silent.hears('bind_receiver');
    assert.deepEqual([system_id, password], ['parley', 'secret']);
    silent.send(makePdu('bind_receiver_resp', { sequence, status: Status.RINVPASWD }));
    await assert.rejects(opening, (error) => error instanceof BindRefused && error.status === Status.RINVPASWD);
    await until(() => silent.sockets[0]!.destroyed);
    await silent.close();
  });

  it('a centre that does not answer is given up', async () => {
    const silent = await startRawPeer({ answersBind: false });
    await assert.rejects(
      openSession({ ...to(), port: silent.port, bindTimeoutMs: 20 }, 'transceiver', options),
      TimedOut,
    );
    await silent.close();
  });

  it('nobody at that address is an error', async () => {
    // A port that somebody has just left may be another's by now.
    await assert.rejects(openSession({ ...to(), port: 1 }, 'transceiver', options), { code: 'ECONNREFUSED' });
  });

  it('a message that follows the answer in the same piece is taken', async () => {
    const silent = await startRawPeer({ answersBind: false });
    const taken: RequestPdu[] = [];
    const handle: Handler = async (pdu) => void taken.push(pdu);
    const opening = openSession({ ...to(), port: silent.port }, 'transceiver', { handles: ['deliver_sm'], handle });
    const { sequence } = await silent.hears('bind_transceiver');
    silent.send(makePdu('bind_transceiver_resp', { sequence }), makePdu('deliver_sm', { sequence: 1 }));
    const session = await opening;
    assert.equal((await silent.hears('deliver_sm_resp')).status, 0);
    assert.equal(taken.length, 1);
    session.destroy('The test is over.');
    await silent.close();
  });
});

describe('silence and leave', () => {
  it('a quiet peer is asked whether it is there; without an answer the session ends', async () => {
    const session = await open({ enquireLinkMs: 30_000, responseTimeoutMs: 10_000 });
    timing.advance(30_000);
    const first = await peer.hears('enquire_link');
    peer.send(makePdu('enquire_link_resp', { sequence: first.sequence }));
    await until(() => session.load().underWay === 0);
    timing.advance(30_000);
    await peer.hears('enquire_link', 2);
    timing.advance(10_000);
    assert.match((await session.closed)!.message, /silent/);
  });

  it('a peer that speaks is not asked', async () => {
    const session = await open({ enquireLinkMs: 30_000 });
    timing.advance(20_000);
    peer.send(makePdu('enquire_link', { sequence: 1 }));
    await peer.hears('enquire_link_resp');
    timing.advance(20_000);
    assert.equal(session.load().underWay, 0);
    timing.advance(10_000);
    await peer.hears('enquire_link');
  });

  it('unbind lets what is under way end, takes nothing new, and closes', async () => {
    const session = await open({ window: 1 });
    const [sent, waiting] = [submit(session), submit(session)];
    const heard = await peer.hears('submit_sm');
    const leaving = session.unbind();
    await assert.rejects(waiting, (error) => error instanceof Closed && !error.sent);
    await assert.rejects(submit(session), (error) => error instanceof Closed && !error.sent);
    peer.send(answerTo(heard, 'last'));
    assert.equal((await sent).message_id, 'last');
    peer.send(makePdu('unbind_resp', { sequence: (await peer.hears('unbind')).sequence }));
    await leaving;
    assert.equal(await session.closed, undefined);
  });

  it('unbind does not wait for ever', async () => {
    const session = await open();
    const failed = assert.rejects(submit(session), (error) => error instanceof Closed && error.sent);
    await peer.hears('submit_sm');
    const leaving = session.unbind(1_000);
    timing.advance(1_000);
    await peer.hears('unbind');
    timing.advance(5_000);
    await Promise.all([failed, leaving]);
  });

  it('an unbind of the other side is answered once what we have in hand is done', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const session = await open({ handle: () => promise });
    peer.send(makePdu('deliver_sm', { sequence: 1 }), makePdu('unbind', { sequence: 2 }));
    await until(() => session.state === 'unbinding');
    resolve(undefined);
    await peer.hears('unbind_resp');
    const commands = peer.heard.map(({ command }) => command);
    assert.ok(commands.indexOf('deliver_sm_resp') < commands.indexOf('unbind_resp'));
    assert.equal(await session.closed, undefined);
  });
});
