import assert from 'node:assert/strict';
import { it } from 'node:test';
import { platformJson, signatureOf } from './payload.ts';

const secret = 'demo-app-secret';

it('signs plain bytes as the known vector', () => {
  const body = '{"object":"whatsapp_business_account","entry":[]}';
  assert.equal(signatureOf(secret, body), 'sha256=d6003bedf605fdf46943662e7d2065e132f4b26764d6ec946ba3fae527acafc2');
});

it('prints slashes, non-ASCII and @ as the platform does, and signs those bytes', () => {
  const value = { t: 'café 50€ a/b me@x.example' };
  const body = platformJson(value);
  assert.equal(body, String.raw`{"t":"caf\u00e9 50\u20ac a\/b me\u0040x.example"}`);
  assert.equal(signatureOf(secret, body), 'sha256=b484d5019af421918aec17ca514686678e4443c25683bc88b39b42b3bd6cc80f');
  assert.match(
    signatureOf(secret, JSON.stringify(JSON.parse(body))),
    /^sha256=28ab88e2/,
    'other bytes, other signature',
  );
});

it('leaves @ alone when told so, escapes both halves of an emoji, and stays the same JSON', () => {
  assert.equal(platformJson({ a: 'me@x' }, { escapeAt: false }), '{"a":"me@x"}');
  assert.equal(platformJson('👍'), String.raw`"\ud83d\udc4d"`);
  const value = { words: 'line\nquote" back\\slash / ü 漢字 \u2028', list: [1, null, true] };
  assert.deepEqual(JSON.parse(platformJson(value)), value);
});
