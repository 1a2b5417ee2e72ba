import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answered, callInScene, message, tagOf } from '../../../../../test/kit/sip/call-in-scene.ts';
import { audioSdp, startRawPeer } from '../../../../../test/kit/sip/raw-peer.ts';
import { cseqOf } from '../message/fields.ts';
import { header } from '../message/message.ts';

describe('a call that was answered', () => {
  it('BYE with wrong tags: 481, and the call goes on', async (t) => {
    const all = await callInScene(t);
    await answered(all);
    for (const wrong of [
      { toTag: 'guess' },
      { toTag: tagOf(all.peer), fromTag: 'guess' },
      { toTag: tagOf(all.peer), callId: 'two' },
    ]) {
      all.peer.send(message({ method: 'BYE', cseq: 2, ...wrong }));
      await all.advance();
      assert.deepEqual(all.peer.news(), ['481 BYE']);
    }
    assert.deepEqual(all.ends, []);
  });

  it('hold and its end are answered, each with the other side of it', async (t) => {
    const all = await callInScene(t);
    await answered(all);
    const { peer, advance, negotiation } = all;
    const ask = async (cseq: number, body: string, method = 'INVITE') => {
      peer.send(message({ method, cseq, toTag: tagOf(peer), body }));
      await advance();
      if (method === 'INVITE') peer.send(message({ method: 'ACK', cseq, toTag: tagOf(peer) }));
      return /a=(sendrecv|sendonly|recvonly|inactive)/.exec(peer.response(method).body.toString())![1];
    };
    assert.equal(await ask(2, audioSdp('a=sendonly\r\n')), 'recvonly');
    assert.equal(await ask(3, audioSdp('a=inactive\r\n'), 'UPDATE'), 'inactive');
    assert.equal(await ask(4, audioSdp('', '0.0.0.0')), 'inactive');
    assert.equal(await ask(5, audioSdp()), 'sendrecv');
    assert.deepEqual(
      negotiation.agreed.map(({ isHeld }) => isHeld),
      [false, true, true, true, false],
    );
    await advance(10_000);
    assert.equal(peer.news().filter((name) => name === '200 INVITE').length, 3, 'each once');
  });

  it('what was overtaken is refused with 500, and a second INVITE before the ACK too', async (t) => {
    const all = await callInScene(t);
    await answered(all);
    const { peer, advance } = all;
    const toTag = tagOf(peer);
    peer.send(message({ method: 'INFO', cseq: 7, toTag }));
    await advance();
    peer.send(message({ method: 'INFO', cseq: 6, toTag }));
    await advance();
    peer.send(message({ cseq: 8, toTag, body: audioSdp() }));
    await advance();
    peer.send(message({ cseq: 9, toTag, body: audioSdp() }));
    await advance();
    assert.deepEqual(peer.news(), ['200 INFO', '500 INFO', '200 INVITE', '500 INVITE']);
  });

  it('keys come by INFO', async (t) => {
    const all = await callInScene(t);
    await answered(all);
    const press = (cseq: number, body: string) => {
      const info = message({ method: 'INFO', cseq, toTag: tagOf(all.peer), body });
      info.headers.set('content-type', ['application/dtmf-relay']);
      all.peer.send(info);
    };
    press(2, 'Signal=5\r\nDuration=160\r\n');
    press(3, 'Signal= #\r\n');
    press(4, 'Signal=10\r\n');
    press(5, 'nonsense');
    await all.advance();
    assert.deepEqual(all.digits, ['5', '#', '*']);
  });

  it('a session timer that the caller refreshes is agreed to; without a refresh the call ends', async (t) => {
    const all = await callInScene(t);
    await answered(
      all,
      message({ headers: ['Supported: timer', 'Session-Expires: 120;refresher=uac'], body: audioSdp() }),
    );
    assert.equal(header(all.peer.response('INVITE'), 'session-expires'), '120;refresher=uac');
    await all.advance(60_000);
    all.peer.send(
      message({
        method: 'UPDATE',
        cseq: 2,
        toTag: tagOf(all.peer),
        headers: ['Supported: timer', 'Session-Expires: 120;refresher=uac'],
      }),
    );
    await all.advance(60_000);
    assert.deepEqual(all.ends, []);
    await all.advance(40_000);
    assert.deepEqual(
      all.ends.map(({ by, code }) => [by, code]),
      [['network', 408]],
    );
    assert.equal(all.peer.news().at(-1), 'BYE');
  });

  it('a session timer that is ours is refreshed at half of it, by UPDATE where that is allowed', async (t) => {
    const all = await callInScene(t);
    await answered(all, message({ headers: ['Allow: INVITE, UPDATE', 'Session-Expires: 200'], body: audioSdp() }));
    assert.equal(header(all.peer.response('INVITE'), 'session-expires'), '200;refresher=uas');
    await all.advance(100_100);
    assert.deepEqual(all.peer.news().slice(0, 1), ['UPDATE']);
    assert.ok(cseqOf(all.peer.request('UPDATE')).number > 0);
  });

  it('Record-Route is copied, and our BYE goes by it', async (t) => {
    const all = await callInScene(t);
    const proxy = startRawPeer(all.net, '192.0.2.9');
    await answered(all, message({ headers: ['Record-Route: <sip:192.0.2.9;lr>'], body: audioSdp() }));
    assert.equal(header(all.peer.response('INVITE'), 'record-route'), '<sip:192.0.2.9;lr>');
    all.calls[0]!.hangUp();
    await all.advance();
    assert.equal(header(proxy.request('BYE'), 'route'), '<sip:192.0.2.9;lr>');
    assert.equal(proxy.request('BYE').uri, 'sip:them@192.0.2.2');
  });
});
