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

/** What the console has in common with what stands beside it, and who may use it. */
const shared: Record<string, RegExp> = {
  '../../sdk/src/schema.d.ts': /^api\//,
  '../../src/platform/sms-text/index.ts': /^areas\/sms\//,
};

/** Why this import is wrong; undefined when it is not. */
function whyForbidden(from: string, to: string): string | undefined {
  if (to.startsWith('..')) return shared[to]?.test(from) ? undefined : `${from} imports ${to}, which is not shared`;
  if (!to.includes('/')) return undefined;
  if (floorOf(to) > floorOf(from)) return `${from} imports ${to}, which stands above it`;
  const [own, other] = [areaOf(from), areaOf(to)];
  return own && other && own !== other ? `${from} imports ${to}: what two areas use belongs in parts/` : undefined;
}

/** The folders of `parts/` of which each needs the other, a sentence each. */
function findPairs(arrows: [from: string, to: string][]): string[] {
  const folderOf = (file: string): string => /^parts\/([^/]+)\//.exec(file)?.[1] ?? '';
  const needs = new Set(arrows.map(([from, to]) => `${folderOf(from)} ${folderOf(to)}`));
  return [...needs].flatMap((need) => {
    const [one = '', other = ''] = need.split(' ');
    return one !== '' && one < other && needs.has(`${other} ${one}`)
      ? [`parts/${one} and parts/${other} need each other`]
      : [];
  });
}

it('no area of the console imports another, nothing imports what stands above it, and no two parts need each other', async () => {
  const names = (await readdir(source, { recursive: true }))
    .map((name) => name.replaceAll(path.sep, '/'))
    .filter((name) => /\.tsx?$/.test(name));
  assert.ok(names.includes('areas/intros/index.tsx') && names.length > 100, 'the files of the console were found');
  const arrows = await Promise.all(
    names.map(async (name) =>
      [...(await readFile(path.join(source, name), 'utf8')).matchAll(specifier)].map(([, to]): [string, string] => [
        name,
        path.posix.join(path.posix.dirname(name), to!),
      ]),
    ),
  );
  assert.deepEqual(
    arrows.flat().flatMap(([from, to]) => whyForbidden(from, to) ?? []),
    [],
  );
  assert.deepEqual(findPairs(arrows.flat()), []);
});

it('the check finds an area in another, and an arrow that runs up', () => {
  assert.match(whyForbidden('areas/leads/list.tsx', 'areas/intros/name.ts') ?? '', /belongs in parts/);
  assert.match(whyForbidden('parts/fields/list.tsx', 'areas/lists/list.tsx') ?? '', /stands above/);
  assert.equal(whyForbidden('areas/leads/list.tsx', 'parts/intros/name.ts'), undefined);
  assert.match(whyForbidden('areas/leads/list.tsx', '../../src/platform/phone.ts') ?? '', /is not shared/);
  assert.equal(whyForbidden('areas/sms/parts.tsx', '../../src/platform/sms-text/index.ts'), undefined);
});

it('the check finds two parts that need each other', () => {
  const arrow: [string, string] = ['parts/page/page.tsx', 'parts/facts/time.tsx'];
  assert.deepEqual(findPairs([arrow, arrow, ['parts/facts/facts.tsx', 'parts/words.ts']]), []);
  assert.match(findPairs([arrow, ['parts/facts/story.tsx', 'parts/page/page.tsx']])[0] ?? '', /facts and parts\/page/);
});
