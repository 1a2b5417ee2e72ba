import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { audioSdp, testNegotiation, theirAddress } from '../../../../../test/kit/sip/raw-peer.ts';
import { sdpIn } from './negotiate.ts';

describe('offer and answer', () => {
  it('offers both codecs, telephone events and 20 ms', () => {
    const offer = testNegotiation().offer();
    assert.match(offer, /^v=0\r\no=parley \d+ 1 IN IP4 192\.0\.2\.1\r\n/);
    assert.match(offer, /m=audio 20000 RTP\/AVP 0 8 101\r\n/);
    assert.match(offer, /a=rtpmap:101 telephone-event\/8000\r\na=fmtp:101 0-16\r\na=ptime:20\r\na=sendrecv\r\n$/);
  });

  it('answers with the first codec of the offer that we have, and its number for telephone events', () => {
    const negotiation = testNegotiation();
    const offer = audioSdp().replace('8 0 101', '18 9 0 8 96').replace('101 telephone', '96 telephone');
    assert.match(negotiation.answer(offer, theirAddress)!, /m=audio 20000 RTP\/AVP 0 96\r\n/);
    assert.deepEqual(negotiation.agreed, [
      {
        address: '192.0.2.2',
        port: 4000,
        codec: 'PCMU',
        payloadType: 0,
        dtmfType: 96,
        ownDtmfType: 96,
        isHeld: false,
        signalledFrom: theirAddress,
      },
    ]);
  });

  it('streams that we do not take stay in their places, with port 0', () => {
    const offer = `${audioSdp()}m=video 5000 RTP/AVP 31\r\nm=audio 5002 RTP/AVP 0\r\n`.replace(
      't=0 0\r\n',
      't=0 0\r\nm=image 6000 udptl t38\r\n',
    );
    const lines = testNegotiation()
      .answer(offer, theirAddress)!
      .match(/^m=.*$/gm);
    assert.deepEqual(lines, [
      'm=image 0 udptl t38',
      'm=audio 20000 RTP/AVP 8 101',
      'm=video 0 RTP/AVP 31',
      'm=audio 0 RTP/AVP 0',
    ]);
  });

  it('nothing in common: no codec, encrypted only, or no port', () => {
    for (const offer of [
      audioSdp().replace('8 0 101', '18 101'),
      audioSdp().replace('RTP/AVP', 'RTP/SAVP'),
      audioSdp().replace('audio 4000', 'audio 0'),
      audioSdp().replace('m=audio', 'm=video'),
    ]) {
      assert.equal(testNegotiation().answer(offer, theirAddress), undefined, offer);
    }
  });

  it('SRTP › two who want it agree on a suite, and each opens what the other seals', () => {
    for (const wants of ['required', 'optional'] as const) {
      const [one, other] = [testNegotiation(wants), testNegotiation('optional')];
      const offer = one.offer();
      assert.match(offer, wants === 'required' ? /m=audio 20000 RTP\/SAVP 0 8 101/ : /m=audio 20000 RTP\/AVP 0 8 101/);
      const answer = other.answer(offer, theirAddress)!;
      assert.equal(answer.match(/^a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:/gm)?.length, 1);
      assert.ok(one.accept(answer, theirAddress));
      const [mine, theirs] = [one.agreed[0]!.srtp!, other.agreed[0]!.srtp!];
      assert.deepEqual([mine.send, mine.receive, mine.suite], [theirs.receive, theirs.send, theirs.suite]);
      // A refresh says the same keys again.
      assert.equal(other.answer(offer, theirAddress), answer);
    }
  });

  it('SRTP › required: what is not encrypted is refused with a sentence, in either direction', () => {
    const strict = testNegotiation('required');
    assert.equal(strict.answer(audioSdp(), theirAddress), undefined);
    assert.match(strict.problem(), /^The call must be encrypted/);
    assert.equal(strict.accept(audioSdp(), theirAddress), false);
    assert.deepEqual(strict.agreed, []);
    const never = testNegotiation('off');
    assert.equal(never.answer(testNegotiation('required').offer(), theirAddress), undefined);
    assert.match(never.problem(), /wants SRTP/);
    // Who would only like to encrypt talks to one who cannot.
    assert.ok(
      testNegotiation('optional').accept(
        never.answer(testNegotiation('optional').offer(), theirAddress)!,
        theirAddress,
      ),
    );
  });

  it('SRTP › keys that cannot be used are passed over', () => {
    const good = `a=crypto:7 AES_CM_128_HMAC_SHA1_32 inline:${Buffer.alloc(30).toString('base64')}|2^31\r\n`;
    const bad = [
      'a=crypto:1 AEAD_AES_256_GCM inline:AAAA',
      'a=crypto:2 AES_CM_128_HMAC_SHA1_80 inline:AAAA',
      `a=crypto:3 AES_CM_128_HMAC_SHA1_80 inline:${Buffer.alloc(30).toString('base64')}|2^20|1:4`,
      `a=crypto:4 AES_CM_128_HMAC_SHA1_80 inline:${Buffer.alloc(30).toString('base64')} UNENCRYPTED_SRTP`,
      'a=crypto:',
      `a=crypto:5 __proto__ inline:${'A'.repeat(40)}`,
    ].join('\r\n');
    const offer = audioSdp(`${bad}\r\n${good}`).replace('RTP/AVP', 'RTP/SAVP');
    assert.match(
      testNegotiation('required').answer(offer, theirAddress)!,
      /a=crypto:7 AES_CM_128_HMAC_SHA1_32 inline:/,
    );
    const none = audioSdp(`${bad}\r\n`).replace('RTP/AVP', 'RTP/SAVP');
    assert.equal(testNegotiation('required').answer(none, theirAddress), undefined);
  });

  it('the version grows when the description does, and only then', () => {
    const negotiation = testNegotiation();
    const versionOf = (sdp: string | undefined) => Number(/^o=parley \d+ (\d+)/m.exec(sdp!)![1]);
    assert.equal(versionOf(negotiation.answer(audioSdp(), theirAddress)), 1);
    assert.equal(versionOf(negotiation.answer(audioSdp(), theirAddress)), 1);
    assert.equal(versionOf(negotiation.answer(audioSdp('a=sendonly\r\n'), theirAddress)), 2);
    assert.equal(versionOf(negotiation.current()), 2);
  });

  it('is found in a body of several parts', () => {
    const body = Buffer.from(
      `--b\r\nContent-Type: text/plain\r\n\r\nhello\r\n--b\r\nContent-Type: application/sdp\r\n\r\nv=0\r\n--b--\r\n`,
    );
    assert.equal(sdpIn('multipart/mixed;boundary="b"', body)?.trim(), 'v=0');
  });
});
