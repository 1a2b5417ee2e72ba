import { type Static, Type } from 'typebox';
import { type Row, readRows } from '../../../platform/csv/read.ts';
import type { FieldErrors } from '../../../platform/errors.ts';
import { Uuid } from '../../../platform/http/openapi/models.ts';
import { ContactWrite, findLists, type ImportProgress, importContacts } from '../../contacts/index.ts';
import { openUpload } from '../files/csv-file.ts';
import type { Kind, Verdict } from '../kind.ts';
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
  await importContacts(deps, { accountId, rows, list, dryRun, mapping, rowsDone, onBatch });
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
