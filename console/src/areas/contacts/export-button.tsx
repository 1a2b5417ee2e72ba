import { useLocation } from 'wouter';
import { call, type Query } from '../../api/index.ts';
import { DownloadButton, downloadCsv } from '../../parts/index.ts';

/** Up to so many the file comes at once; more are a job, whose page has the file. */
const atOnce = 10_000;

/** All contacts that the filters let through, as a CSV file. */
export function ExportContacts({ query, count }: { query: Query<'/v2/contacts/'>; count: number | undefined }) {
  const [, navigate] = useLocation();
  const { ordering: _, ...filters } = query;
  const save = async () => {
    if ((count ?? 0) < atOnce) return downloadCsv('/v2/contacts/', filters, 'contacts.csv');
    const job = await call('post', '/v3/jobs/', { body: { type: 'contacts.export', input: filters } as never });
    navigate(`/jobs/${job.id}`);
  };
  return (
    <DownloadButton save={save} disabled={!count}>
      Export
    </DownloadButton>
  );
}
