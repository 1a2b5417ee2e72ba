/**
 * Makes a release: `npm run release -- minor` (or `major`, `patch`, or a version). It writes the version into every package, dates the
 * changelog, generates what is generated, runs the checks, commits and tags. Nothing is pushed or published; it says how.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { nextVersion, releaseNotes, versionedFiles, withVersion } from './versions.ts';

const root = path.join(import.meta.dirname, '..');
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const run = (...script: string[]) => execFileSync(process.execPath, script, { cwd: root, stdio: 'inherit' });
const read = (name: string) => readFileSync(path.join(root, name), 'utf8');
const write = (name: string, content: string) => writeFileSync(path.join(root, name), content);

function release(wanted: string | undefined): void {
  if (!wanted) throw new Error('Usage: npm run release -- major|minor|patch|<version>');
  const current = JSON.parse(read('package.json')).version as string;
  const version = nextVersion(current, wanted);
  const tag = `v${version}`;
  if (git('status', '--porcelain')) throw new Error('There are changes that are not committed.');
  if (git('tag', '--list', tag)) throw new Error(`The tag ${tag} exists.`);
  const day = new Date().toISOString().slice(0, 10);
  const { changelog, notes } = releaseNotes(read('CHANGELOG.md'), version, day);
  try {
    for (const name of versionedFiles) write(name, withVersion(name, read(name), current, version));
    write('CHANGELOG.md', `${changelog}\n`);
    run('scripts/generate.ts');
    run('scripts/check.ts');
    git('commit', '--all', '--message', `Release ${version}`);
    git('tag', '--annotate', tag, '--cleanup=verbatim', '--message', `Parley ${version}\n\n${notes}`);
  } catch (error) {
    git('checkout', '--', '.');
    throw error;
  }
  console.log(`${tag} is committed and tagged. To publish it:
  git push --follow-tags
  npm run package && npm publish dist/package`);
}

try {
  release(process.argv[2]);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
