import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { nextVersion, versionedFiles } from './versions.ts';

const root = path.join(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
const next = nextVersion(version, 'minor');

/** A clone with the files that a release changes; what it runs besides (generating, checking) is as quick as can be. */
let clone: string;
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
    cwd: clone,
    encoding: 'utf8',
  }).trim();
const write = (name: string, content: string) => {
  mkdirSync(path.dirname(path.join(clone, name)), { recursive: true });
  writeFileSync(path.join(clone, name), content);
};
const read = (name: string) => readFileSync(path.join(clone, name), 'utf8');

beforeEach(() => {
  clone = mkdtempSync(path.join(os.tmpdir(), 'parley-release-'));
  for (const name of [...versionedFiles, 'scripts/release.ts', 'scripts/versions.ts'])
    cpSync(path.join(root, name), path.join(clone, name));
  write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n- A new thing.\n');
  write('scripts/generate.ts', '');
  write('scripts/check.ts', '');
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Begin');
});
afterEach(() => rmSync(clone, { recursive: true, force: true }));

function release(...args: string[]) {
  const who = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.com' };
  const { status, stderr } = spawnSync(process.execPath, ['scripts/release.ts', ...args], {
    cwd: clone,
    encoding: 'utf8',
    env: { ...process.env, ...who, GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.com' },
  });
  return { status, stderr };
}

describe('npm run release', () => {
  it('writes the version everywhere, dates the changelog, commits and tags', () => {
    assert.deepEqual(release('minor'), { status: 0, stderr: '' });
    assert.equal(git('log', '-1', '--format=%s'), `Release ${next}`);
    assert.equal(git('tag', '--points-at', 'HEAD'), `v${next}`);
    assert.match(git('tag', '--list', '--format=%(contents)', `v${next}`), /- A new thing\.$/);
    assert.equal(git('status', '--porcelain'), '');
    for (const name of versionedFiles) assert.ok(read(name).includes(next), name);
    assert.match(read('CHANGELOG.md'), new RegExp(`^## Unreleased\\n\\n## ${next} \\(\\d{4}-\\d\\d-\\d\\d\\)$`, 'm'));
    // There is nothing left to release.
    assert.match(release('patch').stderr, /nothing under Unreleased/);
  });

  it('refuses nonsense and changes that are not committed, and does nothing then', () => {
    const head = git('rev-parse', 'HEAD');
    assert.match(release().stderr, /^Usage/);
    for (const wanted of ['next', '1.2', 'v9.0.0', version, '0.0.1'])
      assert.equal(release(wanted).status, 1, `${wanted} was taken`);
    git('tag', `v${next}`);
    assert.match(release('minor').stderr, /exists/);
    write('notes.txt', 'mine');
    assert.match(release('patch').stderr, /not committed/);
    assert.deepEqual([git('rev-parse', 'HEAD'), read('notes.txt')], [head, 'mine']);
  });

  it('leaves everything as it was when a check fails', () => {
    write('scripts/check.ts', 'process.exitCode = 1;\n');
    git('commit', '--quiet', '--all', '--message', 'Break');
    const head = git('rev-parse', 'HEAD');
    assert.equal(release('minor').status, 1);
    assert.deepEqual([git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag', '--list')], [head, '', '']);
  });
});
