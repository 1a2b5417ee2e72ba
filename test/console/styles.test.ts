// console/src/mantine.css names the styles of Mantine's components one by one; a component without its styles looks broken.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';

const root = path.join(import.meta.dirname, '..', '..');
const mantine = path.join(root, 'node_modules', '@mantine');
const core = path.join(mantine, 'core', 'esm');
const read = (file: string): string => readFileSync(file, 'utf8');
const sourcesIn = (folder: string, ending: RegExp): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => path.join(folder, name));

/** The names that a source imports from Mantine's components. */
const namesIn = (source: string): string[] =>
  [...source.matchAll(/import \{([^}]*)\} from ['"]@mantine\/core['"]/g)].flatMap(([, names]) =>
    names!
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name && !name.startsWith('type '))
      .map((name) => name.split(' as ')[0]!),
  );

/** The file that each name of the package comes from. */
const homes = new Map(
  [...read(path.join(core, 'index.mjs')).matchAll(/import \{([^}]*)\} from "(\.[^"]+)"/g)].flatMap(([, names, file]) =>
    names!.split(',').map((name) => [name.trim().split(' as ').at(-1)!, path.join(core, file!)] as const),
  ),
);

/** A component brings others along. */
function stylesOf(files: string[]): Set<string> {
  const seen = new Set(files);
  for (const file of seen)
    for (const [, to] of read(file).matchAll(/from "(\.[^"]+)"/g)) seen.add(path.join(path.dirname(file), to!));
  const modules = [...seen].map((file) => /(\w+)\.module\.mjs$/.exec(file)?.[1]);
  return new Set(
    modules.filter((name) => name && existsSync(path.join(mantine, 'core', 'styles', `${name}.css`))) as string[],
  );
}

it('the console has the styles of every component it uses, in the order of Mantine, and of no other', () => {
  const sources = [
    ...sourcesIn(path.join(root, 'console', 'src'), /\.tsx?$/),
    ...['modals', 'notifications'].flatMap((name) => sourcesIn(path.join(mantine, name, 'esm'), /\.mjs$/)),
  ];
  const names = new Set(sources.flatMap((file) => namesIn(read(file))));
  assert.ok(names.has('Button') && names.size > 60, 'the components of the console were found');
  const used = stylesOf([...names].flatMap((name) => homes.get(name) ?? []));
  const listed = [...read(path.join(root, 'console', 'src', 'mantine.css')).matchAll(/core\/styles\/([\w-]+)\.css/g)];
  const components = listed.map(([, name]) => name!).filter((name) => /^[A-Z]/.test(name));
  assert.deepEqual(
    [...used].filter((name) => !components.includes(name)),
    [],
    'not listed',
  );
  assert.deepEqual(
    components.filter((name) => !used.has(name)),
    [],
    'not used',
  );
  const whole = read(path.join(mantine, 'core', 'styles.css'));
  const places = components.map((name) =>
    whole.indexOf(read(path.join(mantine, 'core', 'styles', `${name}.css`)).trim()),
  );
  assert.deepEqual(
    places,
    [...places].sort((one, other) => one - other),
  );
});
