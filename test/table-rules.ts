// Whose tables are whose, as a check: a table has one owner, only the owner writes it, and nobody below the owner reads it.
import { floors } from './import-rules.ts';

/** The tables of the list in `docs/architecture.md`, with the folders of their owners under `src/`. */
export function readOwners(document: string): Map<string, string> {
  const list = document.slice(document.indexOf('| Tables | Owner |'));
  const owners = new Map<string, string>();
  for (const line of list.slice(0, list.indexOf('\n\n')).split('\n').slice(2)) {
    const [, tables = '', owner = ''] = line.split('|').map((cell) => cell.trim());
    for (const [, table] of tables.matchAll(/`([a-z_]+)`/g)) {
      if (tables.startsWith('schema ')) continue;
      if (owners.has(table!)) throw new Error(`docs/architecture.md lists ${table} twice.`);
      owners.set(table!, owner.includes('/') ? owner : `domains/${owner}`);
    }
  }
  return owners;
}

/** The tables of the dumped schema. */
export const readTables = (schema: string): string[] =>
  [...schema.matchAll(/^create (?:unlogged )?table (\w+)/gm)].map(([, table]) => table!);

const writes = [
  /\b(?:insert\s+into|delete\s+from|merge\s+into|truncate(?:\s+table)?)\s+(?:only\s+)?(\w+)/gi,
  /\bupdate\s+(?:only\s+)?(\w+)(?:\s+(?:as\s+)?\w+)?\s+set\b/gi,
  /\b(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*['"](\w+)/g,
];

/** A statement that writes a table which is not named where it stands. */
const openWrite =
  /\b(?:insert\s+into|delete\s+from|merge\s+into|truncate(?:\s+table)?|update)\s+(?:only\s+)?\$\{|\b(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*[^'"\s]/i;

/** In the outbox: the states of the channel that it is made for. */
const outbox = [/\bmakeOutbox\b[^(]*\(\{[^}]*?\bstates:\s*['"](\w+)/g];
/** Goes through what a list or the schema names, whosever it is: it changes how rows are kept, or takes all of an account. */
const wherever: RegExp[] = [];

/** Every file with such statements, and how others name the table to it: whoever names one is the one that writes it. */
const genericWriters: Record<string, RegExp[]> = {
  'domains/outbox/claims.ts': outbox,
  'domains/outbox/jumps.ts': outbox,
  'domains/outbox/reclaim.ts': outbox,
  'domains/outbox/launch.ts': outbox,
  'domains/outbox/moves.ts': outbox,
  'domains/outbox/ready.ts': outbox,
  'domains/outbox/resend.ts': outbox,
  'platform/db/distribute/distribute.ts': wherever,
  'platform/db/lease.ts': [/\bmakeLeases\(\{[^}]*?\btable:\s*['"](\w+)/g],
  'platform/db/rate.ts': [
    /\b(?:spendAllowanceText|takeOffText|takeOffDistributedText)\(\s*['"](\w+)/g,
    /\bslowDown\([^,()]+,\s*['"](\w+)/g,
  ],
  'platform/db/retention.ts': [/(?<=\btables:\s*\[[^\]]*)\bname:\s*['"](\w+)/g],
  'platform/db/tenant-tables.ts': wherever,
  'platform/keys/rotate.ts': wherever,
  'upkeep/content-pass.ts': wherever,
};

/** Every file that writes a table which it is given, and of which is not known how; a sentence each. */
export const findOpenWrites = (files: ReadonlyMap<string, string>): string[] =>
  [...files]
    .filter(([file, source]) => openWrite.test(source) && !Object.hasOwn(genericWriters, file))
    .map(([file]) => `${file} writes a table that others name: it belongs among the generic writers of this check`);

const allWrites = [...writes, ...new Set(Object.values(genericWriters).flat())];

/** Every file (path under `src/` → source) that writes a table of somebody else's, a sentence each. */
export function findForeignWrites(files: ReadonlyMap<string, string>, owners: ReadonlyMap<string, string>): string[] {
  return [...files].flatMap(([file, source]) => {
    const written = new Set(allWrites.flatMap((pattern) => [...source.matchAll(pattern)].map(([, table]) => table!)));
    return [...written].flatMap((table) => {
      const owner = owners.get(table);
      return owner === undefined || file.startsWith(`${owner}/`)
        ? []
        : [`${file} writes ${table}, which ${owner} owns`];
    });
  });
}

const reads = [/\b(?:from|join)\s+(?:only\s+)?(\w+)/gi, /\b(?:selectFrom|innerJoin|leftJoin|rightJoin)\(\s*['"](\w+)/g];

/** Reads that are left as they are, with why. */
const leftAlone: Record<string, string[]> = {
  // Whether an account has a real link or trunk decides whom an opt-out of the sandbox concerns.
  'domains/optouts/queries.ts': ['sms_links', 'sip_trunks'],
  // The carrier follows the trunks that accounts have set up.
  'carriers/sip/trunks/queries.ts': ['sip_trunks'],
  // Retention goes through one account after the other.
  'platform/db/retention.ts': ['accounts'],
};

/** Every file that reads a table of a higher floor, a sentence each. */
export function findReadsUpward(files: ReadonlyMap<string, string>, owners: ReadonlyMap<string, string>): string[] {
  return [...files].flatMap(([file, source]) => {
    const read = new Set(reads.flatMap((pattern) => [...source.matchAll(pattern)].map(([, table]) => table!)));
    return [...read].flatMap((table) => {
      const owner = owners.get(table);
      if (owner === undefined || heightOf(`${owner}/`) <= heightOf(file)) return [];
      return leftAlone[file]?.includes(table) ? [] : [`${file} reads ${table}, which ${owner} owns, on a higher floor`];
    });
  });
}

/** Files that belong to no room stand above all of them. */
function heightOf(file: string): number {
  const [layer, room = ''] = file.split('/');
  if (layer === 'platform') return 0;
  if (layer === 'carriers') return 1;
  return layer === 'domains' ? 1 + floors.length - floors.findIndex((floor) => floor.includes(room)) : 100;
}
