import { type Json, jobDone } from './api.ts';
import type { Lines } from './numbers.ts';
import type { Story } from './story.ts';

/** Work that takes longer: exports, changes to many numbers, and a file that is broken in the middle. */
export async function submitJobs({ api, tell }: Story, log: Json, lines: Lines): Promise<void> {
  const submit = async (type: string, input: object): Promise<Json> =>
    jobDone(api, (await api.post('/v3/jobs/', { type, input })).id);
  await submit('contacts.export', { attribute: ['Area:Islington'] });
  await submit('cdr.export', {});
  await submit('campaign_logs.export', { campaign_log: log.uuid });
  await submit('numbers.update', {
    items: [lines.sales, lines.busy, '+44 20 7946 0999'].map((number) => ({
      number,
      meta: { branch: 'Islington', audited: true },
    })),
  });
  // A quotation mark that is never closed: a line without an end.
  const bytes = Buffer.from(`Phone,Name\n+44 7700 900998,Ana\n+44 7700 900999,"Ben ${'and so on '.repeat(110_000)}`);
  const upload = await api.upload('/v2/contacts/upload/', { name: 'from-the-old-crm.csv', type: 'text/csv', bytes });
  await jobDone(api, upload.id);
  tell('Jobs: imports, exports and changes to numbers, one of which failed.');
}
