import { Type } from 'typebox';
import { route } from '../../../deps.ts';
import { ValidationError } from '../../../platform/errors.ts';
import { bodyValidator, record, unstorable } from '../../../platform/http/validation/index.ts';
import { accepted } from '../accepted.ts';
import { contactsImport, importOptions } from '../kinds/contacts-import.ts';
import { optOutsImport } from '../kinds/opt-outs-import.ts';
import { JobCreated } from '../schemas.ts';
import { acceptUpload, mostBytes } from './upload.ts';

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
