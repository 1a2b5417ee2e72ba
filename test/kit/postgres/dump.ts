import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import type { TestApp } from '../app.ts';

/** All rows of all tables as text, by table, as somebody with a copy of the database would read them. */
export async function dumpTables({ deps: { db } }: TestApp): Promise<Map<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`.execute(db);
  const dump = new Map<string, string>();
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`select row::text as row from ${sql.raw(name)} as row`.execute(db);
    if (rows.length > 0) dump.set(name, rows.map(({ row }) => row).join('\n'));
  }
  return dump;
}

/** All files of an account, by their paths. */
export async function dumpFiles({ deps: { config } }: TestApp): Promise<Map<string, Buffer>> {
  const files = await readdir(config.dataDir, { recursive: true, withFileTypes: true });
  const dump = new Map<string, Buffer>();
  for (const file of files) {
    const place = path.join(file.parentPath, file.name);
    if (file.isFile()) dump.set(path.relative(config.dataDir, place), await readFile(place));
  }
  return dump;
}

/** Where a text stands in clear: tables, and files. Bytes are looked for as the hexadecimal digits that a dump has of them, too. */
export async function findClear(app: TestApp, text: string): Promise<string[]> {
  const hex = Buffer.from(text).toString('hex');
  const tables = [...(await dumpTables(app))].filter(([, rows]) => rows.includes(text) || rows.includes(hex));
  const files = [...(await dumpFiles(app))].filter(([, bytes]) => bytes.includes(text));
  return [...tables, ...files].map(([name]) => name);
}
