import { type Static, Type } from 'typebox';
import type { Deps } from '../../../deps.ts';
import { type ByteSource, CsvError, openRows, type Row, readRows } from '../../../platform/csv/read.ts';
import type { FieldErrors } from '../../../platform/errors.ts';
import { Uuid } from '../../../platform/http/openapi/models.ts';
import { bodyValidator } from '../../../platform/http/validation/index.ts';
import { countryOf } from '../../accounts/index.ts';
import { ContactWrite, findLists, type ImportProgress, importContacts } from '../../contacts/index.ts';
import { OptOutCreate, optOutEach, presentOptOut } from '../../optouts/index.ts';
import { uploadFile } from '../files.ts';
import { itemKind, JobFailure, type Kind, type Perform, performAll, resultsOf, type Verdict } from '../kind.ts';
import type { NewResult } from '../result-queries.ts';
import type { Progress, Work } from '../running/work.ts';

export const importOptions = {
  list: Type.Optional(Uuid('Everybody joins this list.')),
  dry_run: Type.Optional(Type.Boolean({ description: 'Find out what it would do, and write nothing.' })),
};

const Input = Type.Object(
  {
    contacts: Type.Array(Type.Omit(ContactWrite, ['lists'], { title: 'ContactImportItem' }), {
      minItems: 1,
      maxItems: 10_000,
    }),
    ...importOptions,
  },
  {
    title: 'ContactsImportInput',
    description: 'Contacts that are there already are changed where these say something.',
  },
);
type Input = Static<typeof Input>;

/** Of a file that was uploaded: what is to be known about it. */
export interface FileInput extends Pick<Input, 'list' | 'dry_run'> {
  mapping?: Record<string, string>;
  delimiter?: string;
}

/** Makes or changes the contacts of a list, or of an uploaded file. Both are read in the same way. */
export const contactsImport: Kind = {
  type: 'contacts.import',
  scope: 'contacts:write',
  Input,
  check: async ({ db }, accountId, input) => {
    const { list } = input as Input;
    if (list === undefined || (await findLists(db, accountId, [list])).length > 0) return undefined;
    return { list: [`Invalid pk "${list}" - object does not exist.`] };
  },
  async checkFile(deps, accountId, file, input) {
    const { mapping, delimiter } = input as FileInput;
    // All rows are passed over: nothing is looked at but the header, and nothing written.
    const nothing = { dryRun: true, rowsDone: Number.MAX_SAFE_INTEGER, onBatch: async () => 'stop' as const };
    await importContacts(deps, { accountId, rows: readRows(file, { delimiter }), mapping, ...nothing });
  },
  totalOf: (input) => (input as Partial<Input>).contacts?.length ?? null,
  async run(work) {
    const { contacts, delimiter } = work.input as Partial<Input> & FileInput;
    if (contacts) return runRows(work, rowsOf(contacts), (line) => line - firstLine);
    return runRows(work, readRows(await openUpload(work), { delimiter }), (line) => line);
  },
};

async function runRows(work: Work, rows: AsyncGenerator<Row[]>, indexOf: (line: number) => number): Promise<Verdict> {
  const { deps, accountId, done: rowsDone } = work;
  const { list, dry_run: dryRun = false, mapping } = work.input as FileInput;
  const progressOf = ({ rowsDone, created, updated, unchanged, repeated, errors }: ImportProgress): Progress => ({
    done: rowsDone,
    counts: {
      created,
      updated,
      unchanged,
      repeated,
      failed: errors.length,
      ...(dryRun && { dry_run: true as const }),
    },
    results: errors.map(({ line, error }) => ({ index: indexOf(line), ok: false, value: byField(error) })),
  });
  let verdict: Verdict = 'go';
  const onBatch: Parameters<typeof importContacts>[1]['onBatch'] = async (db, batch) => {
    verdict = await work.note(db, progressOf(batch));
    return verdict;
  };
  const between = (): Promise<void> => deps.foreground.giveWay(accountId);
  await importContacts(deps, { accountId, rows, list, dryRun, mapping, rowsDone, onBatch, between });
  return verdict;
}

const columns = ['phone_number', 'name', 'language_code', 'time_zone', 'attributes'] as const;
/** Of a contact of a list: its header is the line before. */
const firstLine = 2;

/** Contacts of a list as the rows of a file would be. */
async function* rowsOf(contacts: Input['contacts']): AsyncGenerator<Row[]> {
  yield [
    { line: firstLine - 1, cells: [...columns] },
    ...contacts.map(({ attributes, ...contact }, place) => ({
      line: firstLine + place,
      cells: columns.map((column) => {
        if (column === 'attributes') return attributes === undefined ? '' : JSON.stringify(attributes);
        return (contact[column] ?? '').replaceAll(/\s+/g, ' ').trim();
      }),
    })),
  ];
}

/** `phone_number: Enter a valid phone number.` as errors by field. */
function byField(sentence: string): FieldErrors {
  const [, field, rest] = /^(phone_number|name|language_code|time_zone|attributes): (.*)$/s.exec(sentence) ?? [];
  return field ? { [field]: [rest!] } : { non_field_errors: [sentence] };
}

const perform =
  (source: 'API' | 'CSV'): Perform<OptOutCreate> =>
  async (deps, accountId, items) => {
    const people = items.map(({ phone_number, channel = 'ALL', text = '' }) => ({
      phone_number,
      channel,
      text,
      source,
    }));
    const rows = await optOutEach(deps, accountId, people);
    return rows.map((row) => ({ status: 'fulfilled', value: presentOptOut(row) }));
  };

const batchSize = 500;

const ofList = itemKind({
  type: 'opt_outs.import',
  scope: 'optouts:write',
  Input: Type.Object(
    { opt_outs: Type.Array(OptOutCreate, { minItems: 1, maxItems: 10_000 }) },
    { title: 'OptOutsImportInput' },
  ),
  batchSize,
  itemsOf: ({ opt_outs }) => opt_outs,
  perform: perform('API'),
});

/** Opts people out: those of a list, or of an uploaded file with the columns phone_number, channel and text. */
export const optOutsImport: Kind = {
  ...ofList,
  async checkFile(_deps, _accountId, file, input) {
    for await (const _ of lineBatches(file, { ...readingOf(input), skip: 0 })) return;
  },
  run: (work) => ('opt_outs' in (work.input as object) ? ofList.run(work) : runFile(work)),
};

const readingOf = (input: unknown) => ({
  needed: 'phone_number',
  size: batchSize,
  delimiter: (input as { delimiter?: string }).delimiter,
});

async function runFile(work: Work): Promise<Verdict> {
  const reading = { ...readingOf(work.input), skip: work.done };
  for await (const lines of lineBatches(await openUpload(work), reading)) {
    const verdict = await work.step((deps, done) => importLines(deps, work.accountId, lines, done));
    if (verdict === 'stop') return 'stop';
  }
  return 'go';
}

/** Only lines that were refused have a result of their own: a file may have millions. */
async function importLines(deps: Deps, accountId: string, lines: Line[], done: number): Promise<Progress> {
  const good: { line: number; item: OptOutCreate }[] = [];
  const refused: NewResult[] = [];
  const country = await countryOf(deps, accountId);
  for (const line of lines) {
    const item = 'cells' in line ? optOutOf(line.cells) : undefined;
    const errors = 'error' in line ? { non_field_errors: [line.error] } : problemsOf(item, country);
    if (errors) refused.push({ index: line.line, ok: false, value: errors });
    else good.push({ line: line.line, item: item as OptOutCreate });
  }
  const items = good.map(({ item }) => item);
  const outcomes = items.length === 0 ? [] : await performAll(deps, accountId, items, perform('CSV'));
  resultsOf(deps, outcomes, 0).forEach((result, place) => {
    if (!result.ok) refused.push({ ...result, index: good[place]!.line });
  });
  const counts = { succeeded: lines.length - refused.length, failed: refused.length };
  return { done: done + lines.length, counts, results: refused };
}

const problemsOf = bodyValidator(OptOutCreate);

/** An empty cell says nothing. */
const optOutOf = ({ phone_number, channel, text }: Record<string, string>): unknown => ({
  phone_number,
  ...(channel && { channel: channel.toUpperCase() }),
  ...(text && { text }),
});

/** A line of an uploaded file: its cells by their columns, or what is wrong with it. */
export type Line = { line: number; cells: Record<string, string> } | { line: number; error: string };

/** The file that was uploaded with the job. */
async function openUpload({ deps: { files }, accountId, job }: Work): Promise<ByteSource> {
  const name = uploadFile(accountId, job);
  if ((await files.size(name)) === undefined) throw gone();
  return async function* () {
    const file = await files.get(name);
    if (!file) throw gone();
    yield* file.bytes;
  };
}

const gone = (): JobFailure => new JobFailure('The uploaded file is not here.');

/** The lines of a CSV file after its header, some at a time, without the first `skip` of them. */
async function* lineBatches(
  source: ByteSource,
  { needed, skip, size, delimiter }: { needed: string; skip: number; size: number; delimiter?: string | undefined },
): AsyncGenerator<Line[]> {
  const { header: first, rows: groups } = await openRows(readRows(source, { delimiter }));
  const header = headerOf(first.error === undefined ? first.cells : [], needed);
  let seen = 0;
  let batch: Line[] = [];
  for await (const rows of groups) {
    for (const row of rows) {
      if (++seen <= skip) continue;
      batch.push(row.error === undefined ? { line: row.line, cells: byColumn(header, row.cells) } : row);
      if (batch.length < size) continue;
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

/** `Phone number` is the column phone_number. */
function headerOf(cells: string[], needed: string): string[] {
  const header = cells.map((cell) => cell.toLowerCase().replaceAll(/[\s-]+/g, '_'));
  if (header.includes(needed)) return header;
  throw new CsvError(`The file has no column ${needed}: its first line must name the columns.`);
}

const byColumn = (header: string[], cells: string[]): Record<string, string> =>
  Object.fromEntries(header.map((name, place) => [name, cells[place] ?? '']));
