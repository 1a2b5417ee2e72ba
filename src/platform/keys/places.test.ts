import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { places } from './places.ts';

const source = path.join(import.meta.dirname, '..', '..');

/** Who seals something, and the tables it goes to. */
const sealers: Record<string, string[]> = {
  'domains/accounts/factors/manage.ts': ['second_factors'],
  'domains/accounts/sso/admit.ts': ['sso_sessions'],
  'domains/accounts/sso/change.ts': ['identity_providers'],
  'domains/chatapp-accounts/change.ts': ['chatapp_accounts'],
  'domains/sms/links/change.ts': ['sms_links'],
  'domains/voice/trunks/change.ts': ['sip_trunks'],
  'domains/webhooks/callbacks.ts': ['callback_secrets'],
  'domains/webhooks/change.ts': ['webhook_endpoints'],
  'platform/http/idempotency.ts': ['idempotency_keys'],
  // The rotation itself.
  'platform/keys/rotate.ts': [],
};

test('all that is sealed has a place that `parley secrets rotate` goes to', async () => {
  const found: string[] = [];
  for await (const file of glob('**/*.ts', { cwd: source })) {
    if (file.endsWith('.test.ts')) continue;
    if (/\bvault\.seal\(/.test(await readFile(path.join(source, file), 'utf8'))) found.push(file);
  }
  assert.deepEqual(
    found.toSorted(),
    Object.keys(sealers).toSorted(),
    'Name the column in places.ts, and the file here.',
  );
  const tables = new Set(places.map(({ table }) => table));
  assert.deepEqual([...tables].toSorted(), [...new Set(Object.values(sealers).flat())].toSorted());
});
