import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesOf } from './shown-certificate.ts';

test('names › hosts, addresses and SIP domains; nothing that could be read in two ways', () => {
  assert.deepEqual(namesOf('DNS:PBX.example.com, IP Address:192.0.2.7, URI:sip:Example.net'), [
    'pbx.example.com',
    '192.0.2.7',
    'example.net',
  ]);
  for (const text of [
    '',
    'DNS:"a.example.com, DNS:b.example.com"',
    'DNS:*.example.com',
    'URI:sip:somebody@example.com',
    'URI:https://example.com',
    'email:pbx@example.com',
    'IP Address:<invalid>',
    'DNS:',
  ])
    assert.deepEqual(namesOf(text), [], text);
});
