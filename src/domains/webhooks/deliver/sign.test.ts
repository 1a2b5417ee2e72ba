import assert from 'node:assert/strict';
import { it } from 'node:test';
import { newSecret, signedHeaders } from './sign.ts';

it('signs the example of the Standard Webhooks reference libraries as they do', () => {
  const envelope = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestampSeconds: 1614265330, body: '{"test": 2432232314}' };
  assert.deepEqual(signedHeaders(envelope, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']), {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

it('gives every webhook a secret of its own, 32 bytes in base64 after whsec_', () => {
  assert.match(newSecret(), /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.notEqual(newSecret(), newSecret());
});
