import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { type RawPeer, type SessionStage, startSessionStage, submit } from '../../../../test/kit/smpp/session-stage.ts';
import { anyPdu } from '../codec/arbitraries.ts';
import { encode, makePdu, Status } from '../codec/index.ts';
import { Closed } from '../errors.ts';
import type { Handler } from './serving.ts';

let peer: RawPeer;
let open: SessionStage['open'];
let close: SessionStage['close'];

beforeEach(async () => {
  ({ peer, open, close } = await startSessionStage());
});
afterEach(() => close());

describe('what the other side asks', () => {
  it('a message is acknowledged when it is stored, and not before', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    await open({ handle: () => promise });
    peer.send(makePdu('deliver_sm', { sequence: 5 }), makePdu('enquire_link', { sequence: 6 }));
    assert.equal((await peer.hears('enquire_link_resp')).sequence, 6);
    assert.ok(!peer.heard.some(({ command }) => command === 'deliver_sm_resp'));
    resolve(undefined);
    const { sequence, status } = await peer.hears('deliver_sm_resp');
    assert.deepEqual([sequence, status], [5, 0]);
  });

  it('a message that could not be stored is asked for again', async () => {
    await open({ handle: () => Promise.reject(new Error('no database')) });
    peer.send(makePdu('data_sm', { sequence: 5 }));
    assert.equal((await peer.hears('data_sm_resp')).status, Status.RX_T_APPN);
  });

  it('no more are in hand than hands; a flood is asked to come again', async () => {
    let most = 0;
    let now = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    const handle: Handler = async () => {
      most = Math.max(most, ++now);
      await promise;
      now--;
      return undefined;
    };
    await open({ hands: 2, handle });
    const flood = Array.from({ length: 210 }, (_, index) => makePdu('deliver_sm', { sequence: index + 1 }));
    peer.send(...flood);
    await peer.hears('deliver_sm_resp', 8);
    resolve();
    await peer.hears('deliver_sm_resp', 210);
    assert.equal(most, 2);
    const refused = peer.heard.filter(({ command, status }) => command === 'deliver_sm_resp' && status !== 0);
    assert.deepEqual(new Set(refused.map(({ status }) => status)), new Set([Status.RX_T_APPN]));
    assert.equal(refused.length, 8);
  });

  it('commands nobody knows, and those that are not for us, are refused and harm nothing', async () => {
    const session = await open();
    const replace = { command: 'unknown', command_id: 7, status: 0, sequence: 9, body: Buffer.alloc(3) } as const;
    peer.send(replace, makePdu('submit_sm', { sequence: 10 }), makePdu('bind_receiver', { sequence: 11 }));
    const nack = await peer.hears('generic_nack');
    assert.deepEqual([nack.sequence, nack.status], [9, Status.RINVCMDID]);
    assert.equal((await peer.hears('submit_sm_resp')).status, Status.RINVBNDSTS);
    assert.equal((await peer.hears('bind_receiver_resp')).status, Status.RALYBND);
    assert.equal(session.state, 'bound');
  });

  it('a PDU that makes no sense is nacked, and the next is read', async () => {
    const session = await open();
    const cut = encode(makePdu('deliver_sm', { sequence: 12 })).subarray(0, 20);
    cut.writeUInt32BE(20, 0);
    peer.sendRaw(cut);
    peer.send(makePdu('enquire_link', { sequence: 13 }));
    assert.equal((await peer.hears('generic_nack')).sequence, 12);
    assert.equal((await peer.hears('enquire_link_resp')).sequence, 13);
    assert.equal(session.malformed, 1);
  });

  for (const length of [0, 4, 0xffffffff]) {
    it(`a length of ${length} ends the session with a generic_nack`, async () => {
      const session = await open();
      const failed = assert.rejects(submit(session), (error) => error instanceof Closed && error.sent);
      await peer.hears('submit_sm');
      const octets = encode(makePdu('enquire_link'));
      octets.writeUInt32BE(length, 0);
      peer.sendRaw(octets);
      assert.equal((await peer.hears('generic_nack')).status, Status.RINVCMDLEN);
      await failed;
      assert.match((await session.closed)!.message, /length/);
    });
  }
});

it('whatever comes, cut anywhere, the session ends or goes on, and nothing is left hanging', async () => {
  const noise = fc.uint8Array({ maxLength: 60 }).map((octets) => Buffer.from(octets));
  // Our own unbind and answers to it would end it in good order, which is another test.
  const sense = anyPdu.filter(({ command }) => !command.startsWith('unbind')).map(encode);
  const streams = fc.array(fc.oneof({ arbitrary: sense, weight: 5 }, { arbitrary: noise, weight: 1 }), {
    maxLength: 6,
  });
  await fc.assert(
    fc.asyncProperty(streams, fc.nat({ max: 200 }), async (parts, cut) => {
      const stage = await startSessionStage();
      try {
        const session = await stage.open();
        const asked = submit(session).then(
          () => true,
          () => true,
        );
        const stream = Buffer.concat(parts);
        stage.peer.sendRaw(stream.subarray(0, cut));
        stage.peer.sendRaw(stream.subarray(cut));
        stage.peer.sockets[0]!.end();
        assert.ok(await asked);
        await session.closed;
        assert.deepEqual(session.load(), { underWay: 0, waiting: 0 });
      } finally {
        await stage.close();
      }
    }),
    { numRuns: 60 },
  );
});

it('a peer that does not read is cut off before what waits for it fills the memory', async () => {
  const session = await open();
  peer.sockets[0]!.pause();
  const answer = Buffer.alloc(64 * 1024);
  let sent = 0;
  const timer = setInterval(() => {
    session.sendRaw(answer);
    sent += answer.length;
  });
  assert.match((await session.closed)!.message, /does not read/);
  clearInterval(timer);
  assert.ok(sent > 8 * 1024 * 1024);
});
