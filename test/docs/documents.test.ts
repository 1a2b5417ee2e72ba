// Every link from one document to another leads somewhere: to a file that is there, and to a heading that it has.
import assert from 'node:assert/strict';
import { glob, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';

const root = path.join(import.meta.dirname, '..', '..');

/** As GitHub names headings: small letters, without punctuation, dashes for spaces. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

async function anchorsOf(file: string): Promise<Set<string>> {
  const text = (await readFile(file, 'utf8')).replaceAll(/^```.*?^```$/gms, '');
  const seen = new Map<string, number>();
  const anchors = new Set<string>();
  for (const [, heading] of text.matchAll(/^#{1,6} (.+)$/gm)) {
    const anchor = anchorOf(heading!);
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    anchors.add(before === 0 ? anchor : `${anchor}-${before}`);
  }
  return anchors;
}

test('links between documents lead somewhere', async () => {
  const pages = ['*.md', 'docs/**/*.md', 'sdk/*.md', 'simulators/**/*.md', 'console/*.md'];
  const broken: string[] = [];
  let count = 0;
  for await (const page of glob(pages, { cwd: root, exclude: (name) => name.includes('node_modules') })) {
    const file = path.join(root, page);
    const text = (await readFile(file, 'utf8')).replaceAll(/^```.*?^```$/gms, '').replaceAll(/`[^`\n]*`/g, '');
    for (const [, target] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target!)) continue;
      count += 1;
      const [to = '', anchor] = target!.split('#');
      const there = to === '' ? file : path.join(path.dirname(file), decodeURIComponent(to));
      const found = await stat(there).catch(() => undefined);
      if (!found) broken.push(`${page}: ${target}`);
      else if (anchor !== undefined && !(await anchorsOf(there)).has(anchor)) broken.push(`${page}: ${target}`);
    }
  }
  assert.ok(count > 100, `${count} links`);
  assert.deepEqual(broken, []);
});
