import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { branchOf, callOutScene } from '../../../../../test/kit/sip/call-out-scene.ts';
import { cseqOf } from '../message/fields.ts';
import { header, makeResponse, type SipRequest } from '../message/message.ts';
import { authorise, makeChallenger } from './digest.ts';

describe('proving who we are', () => {
  const ask = (status: 401 | 407, algorithm: string) => ({
    headers: {
      [status === 401 ? 'www-authenticate' : 'proxy-authenticate']:
        `Digest realm="carrier", nonce="n0nce", algorithm=${algorithm}, qop="auth,auth-int", opaque="o"`,
    },
  });

  for (const [status, name] of [
    [401, 'authorization'],
    [407, 'proxy-authorization'],
  ] as const) {
    it(`${status}: the call is placed again with proof, a new branch and the next CSeq`, async (t) => {
      const { peer, advance, answer } = await callOutScene(t);
      await advance();
      const first = peer.request('INVITE');
      answer(status, ask(status, 'SHA-256'));
      await advance();
      assert.deepEqual(peer.news(), ['INVITE', 'ACK', 'INVITE']);
      const second = peer.request('INVITE');
      assert.match(
        header(second, name)!,
        /^Digest username="parley", realm="carrier", nonce="n0nce".*algorithm=SHA-256, qop=auth, nc=00000001, cnonce="\w+", opaque="o"$/,
      );
      assert.notEqual(branchOf(second), branchOf(first));
      assert.equal(cseqOf(second).number, cseqOf(first).number + 1);
      assert.equal(header(second, 'from'), header(first, 'from'));
      assert.doesNotMatch(header(second, 'to')!, /tag/);
    });
  }

  it('refused again: no third time, unless only the nonce had aged', async (t) => {
    const { peer, advance, answer, told } = await callOutScene(t);
    await advance();
    answer(401, ask(401, 'MD5'));
    await advance();
    answer(401, { headers: { 'www-authenticate': 'Digest realm="carrier", nonce="n2", stale=true' } });
    await advance();
    assert.equal(peer.news().filter((name) => name === 'INVITE').length, 3);
    answer(401, ask(401, 'MD5'));
    await advance();
    assert.deepEqual(peer.news(), ['ACK']);
    assert.equal(told.at(-1), 'failed 401');
  });

  it('what we prove with, we would believe; another password, another method or the same once more not', () => {
    let nowMs = 1_790_000_000_000;
    const challenger = makeChallenger('parley', () => nowMs);
    const request: SipRequest = {
      kind: 'request',
      method: 'INVITE',
      uri: 'sip:a@b',
      headers: new Map(),
      body: Buffer.alloc(0),
    };
    const challenge = () =>
      makeResponse(request, 401, { headers: { 'www-authenticate': challenger.challenge('192.0.2.2', false) } });
    const prove = (password: string, method = 'INVITE', response = challenge()) => {
      const { value } = authorise(response, { ...request, method }, { username: 'u', password })!;
      return { ...request, headers: new Map([['authorization', [value]]]) };
    };
    const check = (given: SipRequest, source = '192.0.2.2') =>
      challenger.check(given, source, (name) => (name === 'u' ? [{ password: 'other' }, { password: 'secret' }] : []));
    assert.equal(check(request), 'none');
    const good = prove('secret');
    assert.equal(check(good, '192.0.2.3'), 'stale', 'the answer to another’s challenge');
    assert.deepEqual(check(good), { user: { password: 'secret' }, username: 'u' });
    assert.equal(check(good), 'stale', 'overheard and sent again');
    assert.equal(check(prove('guess')), 'wrong');
    assert.equal(check(prove('secret', 'BYE')), 'wrong');
    const old = prove('secret');
    nowMs += 10 * 60_000;
    assert.equal(check(old), 'stale');
    const forged = makeResponse(request, 401, {
      headers: { 'www-authenticate': 'Digest realm="parley", nonce="1.2.3", qop="auth"' },
    });
    assert.equal(check(prove('secret', 'INVITE', forged)), 'stale', 'a nonce that is not ours');
  });
});
