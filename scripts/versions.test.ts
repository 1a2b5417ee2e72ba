import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { nextVersion, releaseNotes, versionedFiles, withVersion } from './versions.ts';

const read = (name: string) => readFileSync(path.join(import.meta.dirname, '..', name), 'utf8');

describe('the version of a release', () => {
  it('is the next one of its kind, or one that comes after', () => {
    assert.deepEqual(
      ['major', 'minor', 'patch', '1.10.0', '1.3.0'].map((wanted) => nextVersion('1.2.3', wanted)),
      ['2.0.0', '1.3.0', '1.2.4', '1.10.0', '1.3.0'],
    );
    assert.throws(() => nextVersion('1.2.3', '1.2.3'), /does not come after/);
    assert.throws(() => nextVersion('1.10.0', '1.9.9'), /does not come after/);
    assert.throws(() => nextVersion('1.2.3', 'next'), /Say major, minor, patch/);
    assert.throws(() => nextVersion('1.2.3', '1.02.4'), /Say major, minor, patch/);
  });

  it('is the same in every file that names it, and can be replaced there', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    for (const name of versionedFiles) {
      const changed = withVersion(name, read(name), version, '99.88.77');
      assert.ok(changed.includes('99.88.77'), name);
      if (name.endsWith('.json')) JSON.parse(changed);
    }
    const lock = JSON.parse(withVersion('package-lock.json', read('package-lock.json'), version, '99.88.77'));
    assert.deepEqual([lock.version, lock.packages[''].version], ['99.88.77', '99.88.77']);
    assert.throws(() => withVersion('package.json', read('package.json'), '98.0.0', '99.88.77'), /does not have/);
  });
});

describe('the notes of a release', () => {
  const before =
    '# Changelog\n\n## Unreleased\n\n- One $& thing.\n- Another.\n\n## 0.1.0 (2026-01-01)\n\n- The first.\n';

  it('are what was unreleased, under the version and the day', () => {
    const { changelog, notes } = releaseNotes(before, '0.2.0', '2026-02-03');
    assert.equal(notes, '- One $& thing.\n- Another.');
    assert.equal(
      changelog,
      '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-02-03)\n\n- One $& thing.\n- Another.\n\n## 0.1.0 (2026-01-01)\n\n- The first.',
    );
    assert.throws(() => releaseNotes(changelog, '0.3.0', '2026-02-04'), /nothing to release/);
  });
});
