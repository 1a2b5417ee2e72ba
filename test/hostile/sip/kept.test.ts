// What stays of mutated datagrams when their timers have run out: nothing.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { makeGuesses } from '../../../src/carriers/sip/signalling/authentication/guesses.ts';
import { takeCall } from '../../../src/carriers/sip/signalling/dialogs/call-in.ts';
import { makeResponse } from '../../../src/carriers/sip/signalling/message/message.ts';
import { mutate, randomFor } from '../../fuzz/random.ts';
import { makeNet, ourAddress, startTestAgent, testNegotiation, theirAddress } from '../../kit/sip/raw-peer.ts';
import { answer, request, sdp } from './peer.ts';

const rounds = 3;
const perRound = 1_000;
const methods = ['INVITE', 'ACK', 'BYE', 'CANCEL', 'OPTIONS', 'REGISTER', 'INFO', 'UPDATE', 'NOTIFY'];

it('transactions, dialogs and calls of mutated datagrams are all forgotten, round after round', async () => {
  const random = randomFor(7, 'sip', 0);
  const net = makeNet();
  const there = { address: theirAddress, port: 5060, heard: [], send: async () => {} };
  let calls = 0;
  const agent = await startTestAgent(net, {
    // As with a trunk: everything is let in. Some calls are answered, some refused, and some are left to ring.
    onInvite(invite, transaction) {
      const manner = calls++ % 3;
      if (manner === 0) return transaction.respond(makeResponse(invite, 404, { toTag: 'x' }));
      const call = takeCall(agent, invite, transaction, { onDigit: () => {}, onEnd: () => {} });
      call?.ring();
      if (manner === 1) call?.answer(testNegotiation(), { address: ourAddress, hostPort: `${ourAddress}:5060` });
      net.timing.after(60_000, () => call?.hangUp());
    },
    onError: () => {},
  });
  net.isLost = () => true;
  for (let round = 0; round < rounds; round++) {
    for (let n = 0; n < perRound; n++) {
      const text = request(there, {
        method: random.pick(methods),
        callId: `call-${random.below(500)}`,
        cseq: random.below(5),
        body: random.chance(0.5) ? sdp(theirAddress, 4_000) : '',
        ...(random.chance(0.3) && { to: `<sip:x@${ourAddress}>;tag=t${random.below(9)}` }),
      });
      const octets = Buffer.from(random.chance(0.2) ? answer(text, 200) : text);
      net.deliver(random.chance(0.5) ? octets : mutate(random, octets), ourAddress, theirAddress);
      if (n % 100 === 0) await net.timing.advance(50);
      net.sent.length = 0;
    }
    assert.ok(calls > 10 * (round + 1), 'some were calls');
    assert.ok(agent.transactions() > 0);
    // Longer than any timer: 64 T1 for answers and for BYEs that nobody confirms, after a minute of ringing.
    await net.timing.advance(300_000);
    net.sent.length = 0;
    assert.deepEqual(
      [agent.transactions(), agent.unanswered(), agent.dialogs.size, agent.ringing.size],
      [0, 0, 0, 0],
      `round ${round}`,
    );
  }
  await agent.close();
});

it('who guesses passwords under ever new names and addresses fills no memory', () => {
  let nowMs = 0;
  const guesses = makeGuesses(
    () => nowMs,
    () => {},
  );
  for (let n = 0; n < 40_000; n++)
    guesses.begin(`2001:db8:${(n >> 8).toString(16)}:${(n & 255).toString(16)}::1`, `user ${n}`);
  assert.ok(guesses.count() <= 22_000, String(guesses.count()));
  nowMs += 10 * 60_000;
  guesses.begin('192.0.2.1', 'one');
  assert.ok(guesses.count() <= 2, String(guesses.count()));
});
