// Who may import whom in the console.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { it } from 'node:test';

const source = path.join(import.meta.dirname, '..', '..', 'console', 'src');
const specifier = /\b(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g;

/** From the ground up. A file imports its own folder and those before it; `areas/` are rooms, of which none knows another. */
const floors = ['api', 'live', 'parts', 'shell', 'areas'];

const floorOf = (file: string): number => {
  const floor = floors.indexOf(file.split('/')[0]!);
  return floor < 0 ? floors.length : floor;
};
const areaOf = (file: string): string | undefined => /^areas\/([^/]+)\//.exec(file)?.[1];

/** Why this import is wrong; undefined when it is not. */
function whyForbidden(from: string, to: string): string | undefined {
  if (to.startsWith('..') || !to.includes('/')) return undefined;
  if (floorOf(to) > floorOf(from)) return `${from} imports ${to}, which stands above it`;
  const [own, other] = [areaOf(from), areaOf(to)];
  return own && other && own !== other ? `${from} imports ${to}: what two areas use belongs in parts/` : undefined;
}

it('no area of the console imports another, and nothing imports what stands above it', async () => {
  const names = (await readdir(source, { recursive: true }))
    .map((name) => name.replaceAll(path.sep, '/'))
    .filter((name) => /\.tsx?$/.test(name));
  assert.ok(names.includes('areas/intros/index.tsx') && names.length > 100, 'the files of the console were found');
  const wrong = await Promise.all(
    names.map(async (name) =>
      [...(await readFile(path.join(source, name), 'utf8')).matchAll(specifier)].flatMap(
        ([, to]) => whyForbidden(name, path.posix.join(path.posix.dirname(name), to!)) ?? [],
      ),
    ),
  );
  assert.deepEqual(wrong.flat(), []);
});

it('the check finds an area in another, and an arrow that runs up', () => {
  assert.match(whyForbidden('areas/leads/list.tsx', 'areas/intros/name.ts') ?? '', /belongs in parts/);
  assert.match(whyForbidden('parts/fields/list.tsx', 'areas/lists/list.tsx') ?? '', /stands above/);
  assert.equal(whyForbidden('areas/leads/list.tsx', 'parts/intros/name.ts'), undefined);
});
