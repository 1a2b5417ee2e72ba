import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { branchOf, callOutScene, ok, okWith } from '../../../../../test/kit/sip/call-out-scene.ts';
import { audioSdp, startRawPeer, theirAddress } from '../../../../../test/kit/sip/raw-peer.ts';
import { cseqOf, listOf } from '../message/fields.ts';
import { header, makeResponse } from '../message/message.ts';
import { giveUpMs } from '../transactions/timing.ts';

describe('a call of ours', () => {
  it('rings, is answered, acknowledged, and ended by us', async (t) => {
    const all = await callOutScene(t);
    const { peer, advance, answer, told, call, ends, negotiation } = all;
    await advance();
    answer(100);
    answer(180);
    await advance();
    answer(200, ok);
    await advance();
    assert.deepEqual(peer.news(), ['INVITE', 'ACK']);
    assert.deepEqual(told, ['trying', 'ringing', 'answered']);
    assert.deepEqual(
      negotiation.agreed.map(({ codec, port, dtmfType }) => [codec, port, dtmfType]),
      [['PCMA', 4000, 101]],
    );
    const ack = peer.request('ACK');
    assert.equal(ack.uri, `sip:them@${theirAddress}`);
    assert.equal(cseqOf(ack).number, cseqOf(peer.request('INVITE')).number);
    assert.notEqual(branchOf(ack), branchOf(peer.request('INVITE')), 'the ACK of a 2xx is a transaction of its own');
    call.hangUp();
    await advance();
    assert.deepEqual(peer.news(), ['BYE']);
    peer.send(makeResponse(peer.request('BYE'), 200));
    await advance(60_000);
    assert.deepEqual(ends, [{ by: 'us', code: 200, description: 'Hung up.' }]);
    assert.equal(all.left(), 0, 'nothing is left');
  });

  it('a session that is proposed before the answer (183) counts from the answer on, which need not repeat it', async (t) => {
    const { advance, answer, told, negotiation } = await callOutScene(t);
    await advance();
    answer(183, ok);
    answer(183, { ...ok, body: Buffer.from('no session at all') });
    answer(183, ok);
    await advance();
    assert.deepEqual([told, negotiation.agreed.length], [['trying', 'ringing', 'ringing', 'ringing'], 0]);
    answer(200, { headers: { contact: `<sip:them@${theirAddress}>` } });
    await advance();
    assert.deepEqual([told.at(-1), negotiation.agreed.length], ['answered', 1]);
  });

  it('is sent again ever more slowly until something is heard, and given up after 32 seconds', async (t) => {
    const { net, advance, told } = await callOutScene(t, { listens: false });
    await advance(3_600);
    assert.equal(net.sent.length, 4);
    await advance(giveUpMs);
    assert.deepEqual(told, ['failed 408']);
    assert.equal(net.sent.length, 7);
  });

  it('an answer that comes again is acknowledged again', async (t) => {
    const { peer, advance, answer } = await callOutScene(t);
    await advance();
    answer(200, ok);
    await advance();
    answer(200, ok);
    await advance();
    assert.deepEqual(peer.news(), ['INVITE', 'ACK', 'ACK']);
  });

  it('a refusal is acknowledged under the same branch, as often as it comes', async (t) => {
    const { peer, advance, answer, told } = await callOutScene(t);
    await advance();
    answer(486);
    await advance();
    answer(486);
    await advance();
    assert.deepEqual(peer.news(), ['INVITE', 'ACK', 'ACK']);
    assert.equal(branchOf(peer.request('ACK')), branchOf(peer.request('INVITE')));
    assert.deepEqual(told, ['trying', 'failed 486']);
  });

  it('3xx is a failure, and followed nowhere', async (t) => {
    const { peer, advance, answer, told } = await callOutScene(t);
    await advance();
    answer(302, { headers: { contact: '<sip:other@192.0.2.3>' } });
    await advance();
    assert.deepEqual([peer.news(), told.at(-1)], [['INVITE', 'ACK'], 'failed 302']);
  });

  it('CANCEL waits for the first sign of life, and has the branch of the INVITE', async (t) => {
    const { peer, advance, answer, told, call } = await callOutScene(t);
    await advance();
    call.hangUp();
    await advance();
    assert.deepEqual(told, ['failed 487'], 'whoever waits is told at once');
    assert.deepEqual(peer.news(), ['INVITE']);
    answer(100);
    await advance();
    assert.deepEqual(peer.news(), ['CANCEL']);
    assert.equal(branchOf(peer.request('CANCEL')), branchOf(peer.request('INVITE')));
    assert.equal(cseqOf(peer.request('CANCEL')).number, cseqOf(peer.request('INVITE')).number);
    peer.send(makeResponse(peer.request('CANCEL'), 200));
    answer(487);
    await advance();
    assert.deepEqual(peer.news(), ['ACK']);
  });

  it('a 200 that crosses the CANCEL is acknowledged and hung up', async (t) => {
    const all = await callOutScene(t);
    const { peer, advance, answer, told, call, ends } = all;
    await advance();
    answer(180);
    await advance();
    call.hangUp();
    answer(200, ok);
    await advance();
    assert.deepEqual(peer.news(), ['INVITE', 'CANCEL', 'ACK', 'BYE']);
    assert.deepEqual([told.at(-1), ends], ['failed 487', []]);
    peer.send(makeResponse(peer.request('CANCEL'), 200));
    peer.send(makeResponse(peer.request('BYE'), 200));
    await advance(60_000);
    assert.equal(all.left(), 0);
  });

  it('a second answer, by one it was forked to, is acknowledged and hung up', async (t) => {
    const { peer, advance, answer, told, ends } = await callOutScene(t);
    await advance();
    answer(200, ok);
    await advance();
    answer(200, { ...ok, toTag: 'another' });
    await advance();
    assert.deepEqual(peer.news(), ['INVITE', 'ACK', 'ACK', 'BYE']);
    assert.match(header(peer.request('BYE'), 'to')!, /tag=another/);
    assert.deepEqual([told, ends], [['trying', 'answered'], []]);
  });

  it('an answer with no codec in common is hung up', async (t) => {
    const { peer, advance, answer, told } = await callOutScene(t);
    await advance();
    answer(200, { ...ok, body: Buffer.from(audioSdp().replace('8 0 101', '18')) });
    await advance();
    assert.deepEqual(peer.news(), ['INVITE', 'ACK', 'BYE']);
    assert.deepEqual(told, ['trying', 'failed 488']);
  });

  it('requests go by the routes of the answer, in reverse', async (t) => {
    const { net, peer, advance, answer } = await callOutScene(t);
    const proxy = startRawPeer(net, '192.0.2.8');
    await advance();
    answer(200, okWith({ 'record-route': ['<sip:192.0.2.9;lr>', '<sip:192.0.2.8;lr>'] }));
    await advance();
    assert.deepEqual(peer.news(), ['INVITE']);
    const ack = proxy.request('ACK');
    assert.deepEqual(listOf(ack, 'route'), ['<sip:192.0.2.8;lr>', '<sip:192.0.2.9;lr>']);
    assert.equal(ack.uri, `sip:them@${theirAddress}`);
  });

  it('a router of old gets the request as its own', async (t) => {
    const { net, advance, answer } = await callOutScene(t);
    const proxy = startRawPeer(net, '192.0.2.8');
    await advance();
    answer(200, okWith({ 'record-route': '<sip:192.0.2.8>' }));
    await advance();
    assert.equal(proxy.request('ACK').uri, 'sip:192.0.2.8');
    assert.equal(header(proxy.request('ACK'), 'route'), `<sip:them@${theirAddress}>`);
  });

  it('a session timer is offered; 422 raises it; it is refreshed at half', async (t) => {
    const { peer, advance, answer, told } = await callOutScene(t);
    await advance();
    assert.equal(header(peer.request('INVITE'), 'session-expires'), '1800');
    answer(422, { headers: { 'min-se': '3600' } });
    await advance();
    assert.equal(header(peer.request('INVITE'), 'session-expires'), '3600');
    assert.equal(header(peer.request('INVITE'), 'min-se'), '3600');
    answer(200, okWith({ 'session-expires': '3600;refresher=uac' }));
    await advance();
    assert.equal(told.at(-1), 'answered');
    peer.news();
    await advance(1_800_000);
    assert.equal(peer.news()[0], 'INVITE', 'no UPDATE for one who did not say that he takes it');
    answer(200, okWith({ 'session-expires': '3600;refresher=uac' }));
    await advance();
    assert.equal(peer.news().at(-1), 'ACK');
  });

  it('one that is refreshed no longer, because the other side forgot it, is over', async (t) => {
    const { peer, advance, answer, ends } = await callOutScene(t);
    await advance();
    answer(200, okWith({ 'session-expires': '1800;refresher=uac' }));
    await advance(900_100);
    assert.equal(peer.heard.at(-1)?.kind, 'request');
    answer(481);
    await advance();
    assert.deepEqual(
      ends.map(({ by, code }) => [by, code]),
      [['network', 481]],
    );
  });
});
