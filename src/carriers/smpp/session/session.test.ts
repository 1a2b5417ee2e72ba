import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import {
  answerTo,
  type ManualTiming,
  type RawPeer,
  type SessionStage,
  startSessionStage,
  submit,
} from '../../../../test/kit/smpp/session-stage.ts';
import { until } from '../../../../test/kit/until.ts';
import { decode, encode, makePdu, Status } from '../codec/index.ts';
import { BadAnswer, Closed, Nacked, TimedOut } from '../errors.ts';

let peer: RawPeer;
let timing: ManualTiming;
let open: SessionStage['open'];
let close: SessionStage['close'];

beforeEach(async () => {
  ({ peer, timing, open, close } = await startSessionStage());
});
afterEach(() => close());

describe('requests', () => {
  it('answers find their request, in whatever order they come', async () => {
    const session = await open();
    const [one, two] = [submit(session, 'one'), submit(session, 'two')];
    const second = await peer.hears('submit_sm', 2);
    const first = await peer.hears('submit_sm', 1);
    assert.equal(first.short_message.toString(), 'one');
    peer.send(answerTo(second, 'B'), answerTo(first, 'A'));
    assert.equal((await one).message_id, 'A');
    assert.equal((await two).message_id, 'B');
  });

  it('no more are under way than the window holds; the others follow as answers come', async () => {
    const session = await open({ window: 2 });
    const asked = [submit(session), submit(session), submit(session)];
    await peer.hears('submit_sm', 2);
    assert.deepEqual(session.load(), { underWay: 2, waiting: 1 });
    peer.send(answerTo(await peer.hears('submit_sm', 1), '1'));
    peer.send(answerTo(await peer.hears('submit_sm', 3), '3'), answerTo(await peer.hears('submit_sm', 2), '2'));
    assert.deepEqual(
      (await Promise.all(asked)).map(({ message_id }) => message_id),
      ['1', '2', '3'],
    );
  });

  it('doubled answers, answers to nothing and answers of another kind are counted and change nothing', async () => {
    const session = await open();
    const asked = submit(session);
    const heard = await peer.hears('submit_sm');
    peer.send(
      makePdu('submit_sm_resp', { sequence: 4_711, message_id: 'stray' }),
      makePdu('query_sm_resp', { sequence: heard.sequence }),
      answerTo(heard, 'right'),
      answerTo(heard, 'again'),
    );
    assert.equal((await asked).message_id, 'right');
    await until(() => session.strayAnswers === 3);
    assert.equal(session.state, 'bound');
  });

  it('an answer that does not come in time leaves the outcome open, and the window free', async () => {
    const session = await open({ window: 1, responseTimeoutMs: 30_000 });
    const late = submit(session);
    const next = submit(session);
    const heard = await peer.hears('submit_sm');
    timing.advance(29_999);
    assert.deepEqual(session.load(), { underWay: 1, waiting: 1 });
    timing.advance(1);
    await assert.rejects(late, (error) => error instanceof TimedOut && error.sent);
    peer.send(answerTo(heard, 'late'), answerTo(await peer.hears('submit_sm', 2), 'next'));
    assert.equal((await next).message_id, 'next');
    assert.equal(session.strayAnswers, 1);
  });

  it('a generic_nack, and an answer that makes no sense, fail their request alone', async () => {
    const session = await open();
    const [nacked, spoilt, good] = [submit(session), submit(session), submit(session)];
    const third = await peer.hears('submit_sm', 3);
    const status = Status.RINVCMDID;
    peer.send(makePdu('generic_nack', { sequence: (await peer.hears('submit_sm', 1)).sequence, status }));
    const cut = Buffer.from(encode(answerTo(await peer.hears('submit_sm', 2), 'x')).subarray(0, -1));
    cut.writeUInt32BE(cut.length, 0);
    peer.sendRaw(cut);
    peer.send(answerTo(third, 'good'));
    await assert.rejects(nacked, (error) => error instanceof Nacked && error.status === status);
    await assert.rejects(spoilt, BadAnswer);
    assert.equal((await good).message_id, 'good');
  });

  it('a broken connection tells what had left and what had not', async () => {
    const session = await open({ window: 1 });
    const [sent, waiting] = [submit(session), submit(session)];
    await peer.hears('submit_sm');
    peer.sockets[0]!.destroy();
    await assert.rejects(sent, (error) => error instanceof Closed && error.sent);
    await assert.rejects(waiting, (error) => error instanceof Closed && !error.sent);
    await session.closed;
    await assert.rejects(submit(session), (error) => error instanceof Closed && !error.sent);
  });

  it('nothing leaves towards a peer that does not read, and none of that counts as sent', async () => {
    const session = await open({ window: 100_000 });
    peer.sockets[0]!.pause();
    const payload = Buffer.alloc(60_000, 'a');
    const asked: Promise<string>[] = [];
    for (let count = 0; count < 100; count++) {
      const outcome = session.request('submit_sm', { tlvs: { message_payload: payload } }).then(
        () => 'answered',
        (error) => (error instanceof Closed && error.sent ? 'sent' : 'not sent'),
      );
      asked.push(outcome);
      // In turns of the event loop of their own, as they would come.
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(session.load().underWay, 100);
    peer.sockets[0]!.destroy();
    const outcomes = await Promise.all(asked);
    assert.ok(outcomes.includes('sent'));
    assert.ok(outcomes.includes('not sent'));
    assert.ok(outcomes.lastIndexOf('sent') < outcomes.indexOf('not sent'));
  });

  it('a field that does not fit fails its request and sends nothing', async () => {
    const session = await open();
    await assert.rejects(session.request('submit_sm', { source_addr: 'a'.repeat(30) }), { field: 'source_addr' });
    assert.equal(session.state, 'bound');
  });
});

it('everything of one turn leaves in one piece', async () => {
  const session = await open();
  const pieces: Buffer[] = [];
  peer.sockets[0]!.on('data', (piece: Buffer) => pieces.push(piece));
  for (let count = 0; count < 10; count++) void submit(session).catch(() => {});
  await peer.hears('submit_sm', 10);
  assert.equal(pieces.length, 1);
  assert.equal(
    (decode(pieces[0]!.subarray(0, pieces[0]!.readUInt32BE(0))) as { command: string }).command,
    'submit_sm',
  );
});
