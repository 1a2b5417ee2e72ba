import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { callInScene, local, message, tagOf } from '../../../../../test/kit/sip/call-in-scene.ts';
import { audioSdp, ourAddress } from '../../../../../test/kit/sip/raw-peer.ts';
import { header } from '../message/message.ts';
import { giveUpMs } from '../transactions/timing.ts';

describe('a call that comes in', () => {
  it('is tried at once, rings, is answered, and ends with BYE', async (t) => {
    const all = await callInScene(t);
    const { peer, calls, advance, negotiation, ends } = all;
    peer.send(message({ body: audioSdp() }));
    await advance();
    assert.deepEqual(peer.news(), ['100 INVITE']);
    calls[0]!.ring();
    await advance();
    assert.ok(calls[0]!.answer(negotiation, local));
    await advance();
    assert.deepEqual(peer.news(), ['180 INVITE', '200 INVITE']);
    assert.match(peer.response('INVITE').body.toString(), /m=audio 20000 RTP\/AVP 8 101\r\n/);
    assert.equal(header(peer.response('INVITE'), 'contact'), `<sip:parley@${ourAddress}:5060>`);
    peer.send(message({ method: 'ACK', toTag: tagOf(peer) }));
    peer.send(message({ method: 'BYE', cseq: 2, toTag: tagOf(peer) }));
    await advance();
    assert.deepEqual(peer.news(), ['200 BYE']);
    assert.deepEqual(ends, [{ by: 'peer', code: 200, description: 'Hung up.' }]);
    await advance(60_000);
    assert.equal(all.agent.transactions(), 0, 'nothing is left');
    assert.equal(all.agent.dialogs.size, 0);
  });

  it('INVITE again is answered with the last answer, and makes no second call', async (t) => {
    const { peer, calls, advance } = await callInScene(t);
    const invite = message({ body: audioSdp() });
    peer.send(invite);
    await advance();
    calls[0]!.ring();
    peer.send(invite);
    await advance();
    assert.deepEqual(peer.news(), ['100 INVITE', '180 INVITE', '180 INVITE']);
    assert.equal(calls.length, 1);
  });

  it('the 200 is repeated until its ACK, and not after', async (t) => {
    const { peer, calls, advance, negotiation } = await callInScene(t);
    peer.send(message({ body: audioSdp() }));
    await advance();
    calls[0]!.answer(negotiation, local);
    await advance(3_600);
    assert.deepEqual(peer.news(), ['100 INVITE', '200 INVITE', '200 INVITE', '200 INVITE', '200 INVITE']);
    peer.send(message({ method: 'ACK', toTag: tagOf(peer) }));
    await advance(20_000);
    assert.deepEqual(peer.news(), []);
  });

  it('an ACK that never comes ends the call with BYE', async (t) => {
    const { peer, calls, advance, negotiation, ends } = await callInScene(t);
    peer.send(message({ body: audioSdp() }));
    await advance();
    calls[0]!.answer(negotiation, local);
    await advance(giveUpMs + 100);
    assert.equal(peer.news().at(-1), 'BYE');
    assert.deepEqual(
      ends.map(({ by, code }) => [by, code]),
      [['network', 408]],
    );
  });

  it('one who hangs up before the ACK sends BYE after it', async (t) => {
    const { peer, calls, advance, negotiation, ends } = await callInScene(t);
    peer.send(message({ body: audioSdp() }));
    await advance();
    calls[0]!.answer(negotiation, local);
    calls[0]!.hangUp();
    await advance();
    assert.deepEqual(peer.news(), ['100 INVITE', '200 INVITE']);
    peer.send(message({ method: 'ACK', toTag: tagOf(peer) }));
    await advance();
    assert.deepEqual(peer.news(), ['BYE']);
    assert.equal(ends[0]!.by, 'us');
  });

  it('CANCEL before the answer: 200 to it, 487 to the INVITE, until that is acknowledged', async (t) => {
    const { peer, calls, advance, negotiation, ends } = await callInScene(t);
    peer.send(message({ body: audioSdp(), branch: 'z9hG4bKx' }));
    await advance();
    peer.send(message({ method: 'CANCEL', branch: 'z9hG4bKx' }));
    await advance(600);
    assert.deepEqual(peer.news(), ['100 INVITE', '200 CANCEL', '487 INVITE', '487 INVITE']);
    assert.equal(calls[0]!.answer(negotiation, local), false);
    peer.send(message({ method: 'ACK', branch: 'z9hG4bKx', toTag: tagOf(peer) }));
    await advance(10_000);
    assert.deepEqual(peer.news(), []);
    assert.deepEqual(
      ends.map(({ by, code }) => [by, code]),
      [['peer', 487]],
    );
  });

  it('CANCEL that crosses the 200 changes nothing', async (t) => {
    const { peer, calls, advance, negotiation, ends } = await callInScene(t);
    peer.send(message({ body: audioSdp(), branch: 'z9hG4bKx' }));
    await advance();
    calls[0]!.answer(negotiation, local);
    peer.send(message({ method: 'CANCEL', branch: 'z9hG4bKx' }));
    await advance();
    assert.deepEqual(peer.news(), ['100 INVITE', '200 INVITE', '200 CANCEL']);
    assert.deepEqual(ends, []);
  });

  it('CANCEL of nothing: 481', async (t) => {
    const { peer, advance } = await callInScene(t);
    peer.send(message({ method: 'CANCEL' }));
    await advance();
    assert.deepEqual(peer.news(), ['481 CANCEL']);
  });

  it('BYE before the answer ends it as CANCEL would', async (t) => {
    const { peer, calls, advance, ends } = await callInScene(t);
    peer.send(message({ body: audioSdp() }));
    await advance();
    calls[0]!.ring();
    await advance();
    peer.send(message({ method: 'BYE', cseq: 2, toTag: tagOf(peer) }));
    await advance();
    assert.deepEqual(peer.news(), ['100 INVITE', '180 INVITE', '200 BYE', '487 INVITE']);
    assert.equal(ends[0]!.code, 487);
  });

  it('the same INVITE by another way: 482', async (t) => {
    const { peer, calls, advance } = await callInScene(t);
    peer.send(message({ body: audioSdp() }));
    peer.send(message({ body: audioSdp() }));
    await advance();
    assert.deepEqual(peer.news(), ['100 INVITE', '482 INVITE']);
    assert.equal(calls.length, 1);
  });

  it('no hops left: 483; an extension we do not know: 420; no codec in common: 488; other content: 415', async (t) => {
    const { peer, calls, advance, negotiation, agent } = await callInScene(t);
    peer.send(message({ headers: ['Max-Forwards: 0'], body: audioSdp() }));
    await advance();
    peer.send(message({ headers: ['Require: 100rel'], body: audioSdp(), callId: 'b' }));
    await advance();
    assert.equal(header(peer.response('INVITE'), 'unsupported'), '100rel');
    peer.send(message({ body: audioSdp().replace(' 8 0 101', ' 18'), callId: 'c' }));
    await advance();
    assert.equal(calls[0]!.answer(negotiation, local), false);
    await advance();
    const odd = message({ body: 'x', callId: 'd' });
    odd.headers.set('content-type', ['text/plain']);
    peer.send(odd);
    await advance();
    assert.deepEqual(peer.news(), ['483 INVITE', '420 INVITE', '100 INVITE', '488 INVITE', '415 INVITE']);
    assert.equal(agent.dialogs.size, 0);
  });

  it('an INVITE without an offer gets ours in the 200, and its answer comes with the ACK', async (t) => {
    const { peer, calls, advance, negotiation } = await callInScene(t);
    peer.send(message());
    await advance();
    calls[0]!.answer(negotiation, local);
    await advance();
    assert.match(peer.response('INVITE').body.toString(), /m=audio 20000 RTP\/AVP 0 8 101\r\n/);
    peer.send(message({ method: 'ACK', toTag: tagOf(peer), body: audioSdp() }));
    await advance();
    assert.deepEqual(
      negotiation.agreed.map(({ port, codec }) => [port, codec]),
      [[4000, 'PCMA']],
    );
  });

  it('a session interval that is too small: 422 with the least we take', async (t) => {
    const { peer, advance } = await callInScene(t);
    peer.send(message({ headers: ['Supported: timer', 'Session-Expires: 30'], body: audioSdp() }));
    await advance();
    assert.deepEqual(peer.news(), ['422 INVITE']);
    assert.equal(header(peer.response('INVITE'), 'min-se'), '90');
  });
});
