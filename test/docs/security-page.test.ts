import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const root = path.join(import.meta.dirname, '..', '..');

test('docs/security.md names files that exist', () => {
  const page = readFileSync(path.join(root, 'docs', 'security.md'), 'utf8');
  const named = [...page.matchAll(/`((?:src|test)\/[\w./-]+)`/g)].map(([, file]) => file!);
  assert.ok(named.length > 30, 'the page names the code that guards each boundary');
  const missing = named.filter((file) => !existsSync(path.join(root, file)));
  assert.deepEqual(missing, []);
});
