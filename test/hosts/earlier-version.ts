import { execFileSync } from 'node:child_process';
import { mkdtempSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..', '..');
const git = (...args: string[]): Buffer =>
  execFileSync('git', ['-C', root, ...args], { maxBuffer: 1024 ** 3, stdio: ['ignore', 'pipe', 'ignore'] });

/** The commit before the newest migration came, if this checkout knows it; else why not. */
export function findEarlierVersion(): { commit: string } | { missing: string } {
  try {
    const added = git('log', '-1', '--diff-filter=A', '--format=%H', '--', 'migrations/*.sql').toString().trim();
    const commit = git('rev-parse', '--verify', `${added}^`).toString().trim();
    const lock = git('show', `${commit}:package-lock.json`).toString();
    const now = git('show', 'HEAD:package-lock.json').toString();
    return lock === now ? { commit } : { missing: 'the version before needs other packages' };
  } catch {
    return { missing: 'the checkout has no history' };
  }
}

/** Lays it out, with the packages of this one; answers with the program to start and the directory to remove. */
export function checkOut(commit: string): { program: string; directory: string } {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'parley-before-'));
  const files = git('archive', commit, 'src', 'migrations', 'package.json');
  execFileSync('tar', ['-x', '-C', directory], { input: files });
  symlinkSync(path.join(root, 'node_modules'), path.join(directory, 'node_modules'));
  return { program: path.join(directory, 'src', 'main.ts'), directory };
}
