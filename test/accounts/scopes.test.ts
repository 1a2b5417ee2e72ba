import assert from 'node:assert/strict';
import { test } from 'node:test';
import { widerGroups } from '../../console/src/api/may.ts';
import { scopeGroups as shownGroups } from '../../console/src/areas/settings/scopes.ts';
import { routes } from '../../src/app.ts';
import { allows, scopeGroups } from '../../src/platform/http/route.ts';

test('every operation belongs to a group that roles can name, and a narrow group is within a wide one', () => {
  for (const { scope, operationId } of routes) {
    const [group, action] = scope.split(':');
    if (action) assert.ok(scopeGroups[group!], `${operationId}: ${scope}`);
  }
  for (const { within } of Object.values(scopeGroups)) {
    if (within) assert.equal(scopeGroups[within]?.within, undefined);
  }
});

test('the console knows the same groups', () => {
  assert.deepEqual(shownGroups.map(([group]) => group).sort(), Object.keys(scopeGroups).sort());
  for (const [group, { within }] of Object.entries(scopeGroups)) assert.equal(widerGroups[group], within);
});

test('a wide scope covers the narrow ones within it, and never the other way round', () => {
  assert.ok(allows(['voice:read'], 'recordings:read') && allows(['read'], 'recordings:read'));
  assert.ok(!allows(['calls:read'], 'recordings:read') && !allows(['recordings:read'], 'voice:read'));
  assert.ok(!allows(['voice:read'], 'calls:write'));
});
