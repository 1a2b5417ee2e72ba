import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { headersOf, makeResponse, noBody, type SipRequest } from '../message/message.ts';
import type { Peer } from '../transport/wire.ts';
import { proofFor } from './ask.ts';

describe('Proof that we know a password', () => {
  const request: SipRequest = {
    kind: 'request',
    method: 'REGISTER',
    uri: 'sip:carrier.example.com',
    headers: headersOf({
      via: 'SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bK1',
      from: '<sip:parley@carrier.example.com>;tag=1',
      to: '<sip:parley@carrier.example.com>',
      'call-id': '1',
      cseq: '1 REGISTER',
    }),
    body: noBody,
  };
  const response = makeResponse(request, 401, {
    toTag: 'x',
    headers: { 'www-authenticate': 'Digest realm="carrier", nonce="n", algorithm=MD5, qop="auth"' },
  });
  const credentials = { username: 'parley', password: 'a long secret', addresses: ['192.0.2.2', '192.0.2.3'] };
  const at = (address: string): Peer => ({ protocol: 'udp', address, port: 5060 });
  const proof = (to: Peer, from: Peer | undefined, status = 401) =>
    proofFor({ status, description: '', response, request, to, ...(from && { from }) }, credentials, 1);

  it('is given to the addresses of the trunk, whichever of them asks', () => {
    assert.match(String(proof(at('192.0.2.2'), at('192.0.2.2'))?.['authorization']), /^Digest username="parley"/);
    assert.ok(proof(at('192.0.2.2'), at('192.0.2.3')));
  });

  it('is not given to whoever answers in their place, nor sent to anybody else', () => {
    assert.equal(proof(at('192.0.2.2'), at('203.0.113.1')), undefined, 'a stranger answers');
    assert.equal(proof(at('203.0.113.1'), at('192.0.2.2')), undefined, 'a stranger was asked');
    assert.equal(proof(at('192.0.2.2'), undefined), undefined, 'nobody knows who answered');
  });

  it('is given when it is asked for, and not otherwise', () => {
    assert.equal(proof(at('192.0.2.2'), at('192.0.2.2'), 403), undefined);
  });
});
