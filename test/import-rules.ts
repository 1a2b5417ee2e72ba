// What stands on what, as a check: who may import whom, by the place of a file in `src/`.
import path from 'node:path';

/** The domains from the top floor to the ground; arrows point down, and never along a floor. */
export const floors = [
  ['jobs', 'inbound'],
  ['people', 'reports'],
  ['intros', 'campaigns', 'flows', 'insights'],
  ['messages', 'sms', 'voice', 'leads'],
  ['numbers', 'templates', 'media', 'routing', 'links', 'outbox'],
  ['contacts', 'optouts', 'safeguards', 'agents', 'audio', 'chatapp-accounts'],
  ['webhooks'],
  ['accounts', 'timeline', 'tallies', 'directory'],
];

interface Import {
  from: string;
  to: string;
  /** Erased before the program runs. */
  typeOnly: boolean;
}

interface Place {
  layer: 'roof' | 'domain' | 'deps' | 'carrier' | 'port' | 'platform' | 'unknown';
  /** The folder of a domain or of a carrier. */
  room: string;
}

const statement =
  /^\s*(?:import|export)\b(\s+type\b)?[^;'"]*?\bfrom\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]/gm;
const call = /\bimport\(\s*['"]([^'"]+)['"]/g;
const environment =
  /\bprocess\s*(?:\?\.|\.)\s*env\b|\benv\b[^;\n]*\}\s*=\s*process\b|\benv\b[^;\n]*from 'node:process'/;

/** Every offence against the order of the house in these files (path under `src/` → source), a sentence each. */
export function findOffences(files: ReadonlyMap<string, string>): string[] {
  const sources = new Map([...files].map(([file, source]) => [file, withoutComments(source)]));
  const imports = [...sources].flatMap(([file, source]) => readImports(file, source));
  const wrong = imports.flatMap((arrow) => {
    const reason = files.has(arrow.to) ? whyForbidden(arrow) : whyOutside(arrow);
    return reason === undefined ? [] : [`${arrow.from} imports ${arrow.to}: ${reason}`];
  });
  return [
    ...[...files.keys()].filter((file) => placeOf(file).layer === 'unknown').map(homeless),
    ...[...files.keys()].filter(isTestKit).map(misplacedKit),
    ...wrong,
    ...findCircles(imports.filter(({ typeOnly }) => !typeOnly)),
    ...[...sources]
      .filter(([file, source]) => environment.test(source) && !mayReadEnvironment(file))
      .map(readsEnvironment),
  ];
}

/** Simulators and the test kit stand beside `src/`: they may use it, and of it only tests may use them. */
function whyOutside({ from, to }: Import): string | undefined {
  const isKit = /^\.\.\/test\/kit\/.+\.ts$/.test(to);
  if (!isKit && !to.startsWith('../simulators/')) return 'there is no such file in src/';
  if (!isTest(from)) return 'simulators and the test kit are there for tests';
  if (isKit) return undefined;
  return /^\.\.\/simulators\/[^/]+\/(index|testing)\.ts$/.test(to) ? undefined : sideDoor;
}

const homeless = (file: string) => `${file} has no place in the house: add its folder to the floors of the import test`;
const misplacedKit = (file: string) => `${file} is a test kit: src/ has none, they stand in test/kit/`;
const readsEnvironment = ([file]: [string, string]) => `${file} reads process.env: settings are read in main.ts alone`;
const isTest = (file: string): boolean => file.endsWith('.test.ts');
/** `testing.ts`, `testing-carrier.ts`, `testing/engine.ts`: what several tests share stands in `test/kit/`. */
const isTestKit = (file: string): boolean => /(^|\/)testing(-[\w-]+)?(\.ts$|\/)/.test(file);
// run-as.ts reads no setting: it keeps foreign ones from the programs that it starts.
const mayReadEnvironment = (file: string): boolean =>
  file === 'main.ts' || file === 'cli/main.ts' || file === 'platform/postgres/run-as.ts';

/** Whole lines only: a scanner that looked for comments within lines would have to know strings, and URLs hold `//`. */
const withoutComments = (source: string): string => source.replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '');

function readImports(from: string, source: string): Import[] {
  const found = [
    ...[...source.matchAll(statement)].map(([, type, name, bare]) => ({
      name: name ?? bare!,
      typeOnly: type !== undefined,
    })),
    ...[...source.matchAll(call)].map(([, name]) => ({ name: name!, typeOnly: false })),
  ];
  return found
    .filter(({ name }) => name.startsWith('.'))
    .map(({ name, typeOnly }) => ({ from, to: path.posix.join(path.posix.dirname(from), name), typeOnly }));
}

function placeOf(file: string): Place {
  const [folder, room = ''] = file.split('/');
  if (file === 'deps.ts') return { layer: 'deps', room };
  // main.ts, start.ts, app.ts …: what stands directly in src/ puts the house together.
  // So do the command line, the console and the help, which are ways into it, the words of the API's document, and the upkeep,
  // which looks after all domains together.
  if (!file.includes('/') || ['api-fields', 'cli', 'console', 'help', 'upkeep'].includes(folder!))
    return { layer: 'roof', room };
  if (folder === 'domains' && floorOf(room) >= 0) return { layer: 'domain', room };
  if (folder === 'carriers') return { layer: room === 'ports' ? 'port' : 'carrier', room };
  return { layer: folder === 'platform' ? 'platform' : 'unknown', room };
}

const floorOf = (domain: string): number => floors.findIndex((floor) => floor.includes(domain));

/** Why this arrow may not be drawn; undefined when it may. */
function whyForbidden({ from, to }: Import): string | undefined {
  if (isTest(to)) return 'a test is imported by nobody';
  const [source, target] = [placeOf(from), placeOf(to)];
  switch (target.layer) {
    case 'platform':
    case 'unknown':
      return undefined;
    case 'port':
      return source.layer === 'platform' ? up : undefined;
    case 'carrier':
      if (source.layer === 'carrier' && source.room === target.room) return undefined;
      if (source.layer !== 'roof') return `only the top of the house knows the carriers; others know carriers/ports/`;
      return to === `carriers/${target.room}/index.ts` ? undefined : sideDoor;
    case 'deps':
      return source.layer === 'roof' || source.layer === 'domain' ? undefined : up;
    case 'domain':
      return whyNotDomain(source, target, to);
    case 'roof':
      return source.layer === 'roof' ? undefined : up;
  }
}

const up = 'the arrow runs up';
const sideDoor = 'a side door; enter by its index.ts';

function whyNotDomain(source: Place, target: Place, to: string): string | undefined {
  if (source.layer === 'domain' && source.room === target.room) return undefined;
  if (source.layer !== 'domain' && source.layer !== 'roof') return up;
  if (source.layer === 'domain' && floorOf(source.room) === floorOf(target.room)) return 'both are on the same floor';
  if (source.layer === 'domain' && floorOf(source.room) > floorOf(target.room)) return up;
  return to === `domains/${target.room}/index.ts` ? undefined : sideDoor;
}

/** Circles of imports that exist at run time; a circle of types is erased, and within one room it harms nobody. */
function findCircles(imports: Import[]): string[] {
  const next = Map.groupBy(imports, ({ from }) => from);
  const done = new Set<string>();
  const circles: string[] = [];
  const walk = (file: string, trail: string[]): void => {
    const seenAt = trail.indexOf(file);
    if (seenAt >= 0) circles.push(`A circle of imports: ${[...trail.slice(seenAt), file].join(' → ')}`);
    if (seenAt >= 0 || done.has(file)) return;
    for (const { to } of next.get(file) ?? []) walk(to, [...trail, file]);
    done.add(file);
  };
  for (const file of next.keys()) walk(file, []);
  return circles;
}
