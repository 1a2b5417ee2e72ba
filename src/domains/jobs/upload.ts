import { open } from 'node:fs/promises';
import { Type } from 'typebox';
import { type Deps, route } from '../../deps.ts';
import { CsvError } from '../../platform/csv/read.ts';
import { ValidationError } from '../../platform/errors.ts';
import type { Upload } from '../../platform/http/files/upload.ts';
import { bodyValidator, record, unstorable } from '../../platform/http/validation/index.ts';
import { newId } from '../../platform/ids.ts';
import { within } from '../../platform/within.ts';
import { refuseWithoutRoom, takeRoom, withinRoom } from '../accounts/index.ts';
import { uploadFile } from './files.ts';
import type { Kind } from './kind.ts';
import { contactsImport, importOptions, optOutsImport } from './kinds/imports.ts';
import type { JobRow } from './queries.ts';
import { JobCreated } from './schemas.ts';
import { accepted, acceptJob } from './submit.ts';

/** The largest file that is taken; it goes to the disk as it comes. */
const mostBytes = 1024 * 1024 * 1024;
const headBytes = 256 * 1024;

/** Makes a job of an uploaded file, which is in its place before the job is seen by anybody. */
async function acceptUpload(
  deps: Deps,
  accountId: string,
  kind: Kind,
  { upload, input }: { upload: Upload; input: object },
): Promise<JobRow> {
  await checkHead(deps, accountId, kind, { upload, input });
  await refuseWithoutRoom(deps, accountId, upload.size);
  const uuid = newId();
  const place = uploadFile(accountId, uuid);
  await deps.files.adopt(upload.path, place);
  const job = { uuid, type: kind.type, input, callback_url: null, from_file: true, total: null };
  const store = async (deps: Deps): Promise<JobRow> => {
    await takeRoom(deps, accountId, upload.size);
    return acceptJob(deps, accountId, job);
  };
  return withinRoom(deps, [place], () => within(deps, store));
}

/** A header that will not do is said at once. The beginning of the file is enough for that, however large the file is. */
async function checkHead(
  deps: Deps,
  accountId: string,
  kind: Kind,
  { upload, input }: { upload: Upload; input: object },
): Promise<void> {
  const head = await readHead(upload.path);
  const file = async function* () {
    yield head;
  };
  try {
    await kind.checkFile!(deps, accountId, file, input);
  } catch (error) {
    throw error instanceof CsvError ? new ValidationError({ file: [error.message] }) : error;
  }
}

/** Whole lines, if there is any: half a character at the end would make another encoding of it. */
async function readHead(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes);
    const end = bytesRead < headBytes ? bytesRead : buffer.lastIndexOf('\n') + 1;
    return buffer.subarray(0, end || bytesRead);
  } finally {
    await file.close();
  }
}

const Delimiter = Type.String({
  pattern: '^[,;\\t|]$',
  'x-message': 'Enter a comma, a semicolon, a tab or a bar.',
  description: 'What stands between the cells. Left out: it is found out.',
});
const becomesJob = 'It becomes a job; `…/refused-rows/` of the job has what was refused. At most 1 GiB.';

export const uploadRoutes = [
  route({
    method: 'POST',
    url: '/v2/contacts/upload/',
    operationId: 'uploadContacts',
    summary: 'Import the contacts of a CSV file',
    description: `The first line names the columns, phone_number among them; see docs/contacts.md. ${becomesJob}`,
    tag: 'Contacts',
    scope: 'contacts:write',
    upload: { mostBytes },
    body: Type.Object(
      {
        ...importOptions,
        mapping: Type.Optional(
          Type.String({
            maxLength: 20_000,
            description: 'A JSON object: what columns are, by their title. "" passes one over.',
            examples: ['{"Handy": "phone_number", "Remarks": ""}'],
          }),
        ),
        delimiter: Type.Optional(Delimiter),
      },
      { title: 'ContactUpload' },
    ),
    responses: { 202: JobCreated },
    example: { file: 'phone_number,name\n+44 7700 900141,Ana\n', dry_run: false, mapping: '{"name":"name"}' },
    handler: async ({ deps, accountId, upload, body, url }) => {
      const { mapping, ...options } = body;
      const errors = await contactsImport.check!(deps, accountId, options);
      if (errors) throw new ValidationError(errors);
      const input = { ...options, ...(mapping !== undefined && { mapping: readMapping(mapping) }) };
      return accepted(await acceptUpload(deps, accountId, contactsImport, { upload, input }), url());
    },
  }),
  route({
    method: 'POST',
    url: '/v2/opt-outs/upload/',
    operationId: 'uploadOptOuts',
    summary: 'Opt out the people of a CSV file',
    description: `The first line names the columns: phone_number, and if you like channel and text. ${becomesJob}`,
    tag: 'Opt-outs',
    scope: 'optouts:write',
    upload: { mostBytes },
    body: Type.Object({ delimiter: Type.Optional(Delimiter) }, { title: 'OptOutUpload' }),
    responses: { 202: JobCreated },
    example: { file: 'phone_number,channel,text\n+44 7700 900199,SMS,Asked on the phone\n', delimiter: ',' },
    handler: async ({ deps, accountId, upload, body: input, url }) =>
      accepted(await acceptUpload(deps, accountId, optOutsImport, { upload, input }), url()),
  }),
];

const problemsOf = bodyValidator(record(Type.String({ maxLength: 64 }), { maxProperties: 500 }));

function readMapping(text: string): Record<string, string> {
  try {
    const mapping: unknown = JSON.parse(text);
    if (problemsOf(mapping) === null && !unstorable(mapping)) return mapping as Record<string, string>;
  } catch {
    // Said below.
  }
  throw new ValidationError({ mapping: ['Enter a JSON object of texts, such as {"Handy": "phone_number"}.'] });
}
