// Whose tables are whose, as a check: a table has one owner, and only the owner writes it.

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

/** Every file (path under `src/` → source) that writes a table of somebody else's, a sentence each. */
export function findForeignWrites(files: ReadonlyMap<string, string>, owners: ReadonlyMap<string, string>): string[] {
  return [...files].flatMap(([file, source]) => {
    const written = new Set(writes.flatMap((pattern) => [...source.matchAll(pattern)].map(([, table]) => table!)));
    return [...written].flatMap((table) => {
      const owner = owners.get(table);
      return owner === undefined || file.startsWith(`${owner}/`)
        ? []
        : [`${file} writes ${table}, which ${owner} owns`];
    });
  });
}
