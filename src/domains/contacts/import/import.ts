import type { Deps } from '../../../deps.ts';
import { CsvError, openRows, type Row } from '../../../platform/csv/read.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { addTallies } from '../../tallies/index.ts';
import { tallySteps, tellAll } from '../change.ts';
import { findLists } from '../lists/queries.ts';
import { findCountry } from '../queries.ts';
import { readColumns } from './columns.ts';
import { compareContacts, widenIndexing, writeContacts } from './queries.ts';
import { type ImportedContact, merged, rowReader } from './row.ts';

export interface ImportProgress {
  /** How many rows of the file are done, including bad ones and those of an earlier run. */
  rowsDone: number;
  created: number;
  updated: number;
  /** Rows that changed nothing. */
  unchanged: number;
  /** Rows whose number had already appeared in the file; the last one counts. */
  repeated: number;
  errors: { line: number; error: string }[];
}

export type ImportTotals = Omit<ImportProgress, 'errors'> & { errors: number };

export interface ImportOptions {
  accountId: string;
  /** The rows of a file, the header first, some at a time. */
  rows: AsyncGenerator<Row[]>;
  /** Everybody in the file joins it. */
  list?: string | undefined;
  dryRun: boolean;
  /** What columns are, by their title; "" passes one over. */
  mapping?: Record<string, string> | undefined;
  /** How many rows an earlier run has dealt with. */
  rowsDone: number;
  /** Hears of each batch in the transaction that writes it. */
  onBatch(db: Db, batch: ImportProgress): Promise<'go' | 'stop'>;
  /** Is awaited between two batches, so that others get their turn. */
  between?(): Promise<void>;
}

const batchSize = 2500;

/**
 * Imports contacts from the rows of a CSV file. Each batch is a transaction, in which `onBatch` notes how far it is: after a crash the
 * import goes on from there. While the database writes one batch the next one is read; memory does not grow with the file.
 * The totals are those of this run.
 */
export async function importContacts({ db }: Pick<Deps, 'db'>, options: ImportOptions): Promise<ImportTotals> {
  const { accountId, list, rowsDone, onBatch, between } = options;
  if (list !== undefined && (await findLists(db, accountId, [list])).length === 0) {
    throw new CsvError('The list does not exist.');
  }
  const totals = { rowsDone, created: 0, updated: 0, unchanged: 0, repeated: 0, errors: 0 };
  const batches = batchesOf(await openFile(db, options), rowsDone);
  let reading = batches.next();
  try {
    for (;;) {
      const { value: batch, done } = await reading;
      if (done) return totals;
      reading = batches.next();
      // It is awaited further down; until then a failure must not end the process.
      reading.catch(() => {});
      const { progress, next } = await db.transaction().execute(async (db) => {
        const progress = await take(db, options, batch, totals.rowsDone);
        return { progress, next: await onBatch(db, progress) };
      });
      totals.rowsDone = progress.rowsDone;
      totals.created += progress.created;
      totals.updated += progress.updated;
      totals.unchanged += progress.unchanged;
      totals.repeated += progress.repeated;
      totals.errors += progress.errors.length;
      if (next === 'stop') return totals;
      await between?.();
    }
  } finally {
    await reading.catch(() => {});
    await batches.return(undefined);
  }
}

/** Rows of the file: each number once, as its last row has it, and the errors of the other rows. */
interface Batch {
  rows: number;
  contacts: Map<string, ImportedContact>;
  /** Rows of numbers that an earlier batch already had. */
  again: Map<string, ImportedContact>;
  errors: { line: number; error: string }[];
}

const emptyBatch = (): Batch => ({ rows: 0, contacts: new Map(), again: new Map(), errors: [] });

/** How many numbers are remembered, in some 40 MB: the file may have more. Beyond that, a number that comes again counts as new. */
const mostRemembered = 1_000_000;

/** Reads the header: what is wrong with that concerns the whole file. */
async function openFile(db: Db, { accountId, rows: all, mapping }: ImportOptions) {
  try {
    const country = await findCountry(db, accountId);
    const { header, rows } = await openRows(all);
    if (header.error !== undefined) throw new CsvError(`Line ${header.line}: ${header.error}`);
    return { rows, read: rowReader(readColumns(header.cells, mapping), country) };
  } catch (error) {
    await all.return(undefined);
    throw error;
  }
}

/** Batches of one size, whatever the file brings at a time, without the rows that are done. */
async function* batchesOf({ rows: groups, read }: Awaited<ReturnType<typeof openFile>>, rowsDone: number) {
  let toSkip = rowsDone;
  let batch = emptyBatch();
  const seen = new Set<number>();
  const remember = (digits: string): void => {
    if (seen.size < mostRemembered) seen.add(Number(digits));
  };
  for await (const rows of groups) {
    for (const row of rows) {
      const contact = row.error ?? (toSkip > 0 && seen.size >= mostRemembered ? '' : read(row.cells));
      if (toSkip > 0) {
        toSkip--;
        if (typeof contact !== 'string') remember(contact.digits);
        continue;
      }
      add(batch, row.line, contact, seen);
      if (batch.rows < batchSize) continue;
      const digits = [...batch.contacts.keys()];
      yield batch;
      for (const each of digits) remember(each);
      batch = emptyBatch();
    }
  }
  if (batch.rows > 0) yield batch;
}

function add(batch: Batch, line: number, contact: ImportedContact | string, seen: ReadonlySet<number>): void {
  batch.rows++;
  if (typeof contact === 'string') return void batch.errors.push({ line, error: contact });
  const contacts = seen.has(Number(contact.digits)) ? batch.again : batch.contacts;
  const before = contacts.get(contact.digits);
  contacts.set(contact.digits, before ? merged(before, contact) : contact);
}

/** Writes a batch, or finds out what writing it would do. */
async function take(db: Db, options: ImportOptions, batch: Batch, rowsDone: number): Promise<ImportProgress> {
  const { accountId, list = null, dryRun } = options;
  const { rows, errors } = batch;
  const contacts = sorted(batch.contacts);
  const work = dryRun ? compareContacts(db, accountId, contacts) : write(db, accountId, contacts, list);
  const { created, updated } = await work;
  if (!dryRun && batch.again.size > 0) await write(db, accountId, sorted(batch.again), list);
  return {
    rowsDone: rowsDone + rows,
    created,
    updated,
    unchanged: contacts.length - created - updated,
    repeated: rows - errors.length - contacts.length,
    errors,
  };
}

const sorted = (contacts: ReadonlyMap<string, ImportedContact>): ImportedContact[] =>
  [...contacts.values()].sort((a, b) => (a.digits < b.digits ? -1 : 1));

async function write(db: Db, accountId: string, contacts: ImportedContact[], list: string | null) {
  await widenIndexing(db);
  if (contacts.length === 0) return { created: 0, updated: 0 };
  const { created, updated, joined } = await writeContacts(db, accountId, contacts, list);
  await tellAll(db, accountId, updated, 'contact.updated', { source: 'IMPORT' });
  if (list !== null && joined > 0) await addTallies(db, tallySteps(accountId, [{ list, count: joined }], 1));
  return { created, updated: updated.length };
}
