import { urlOf } from '../../api/client.ts';
import { ApiProblem } from '../../api/problem.ts';
import type { Params, Query } from '../../api/types.ts';
import { DownloadButton } from '../actions/download-button.tsx';
import { saveBlob } from '../actions/save-file.ts';

/** Lists that the API also gives as CSV. */
type CsvPath =
  | '/v2/cdr/'
  | '/v2/sms-records/'
  | '/v2/audit-log/'
  | '/v2/contacts/'
  | '/v2/reports/'
  | '/v2/chatapp/leads/'
  | '/v2/chatapp/chat-intros/{uuid}/logs/';

/** All rows that match the filters, as a file in the browser's downloads. */
export async function downloadCsv<P extends CsvPath>(
  path: P,
  query: object,
  filename: string,
  params?: Params<P>,
): Promise<void> {
  const answer = await fetch(urlOf(path, params, query as Query<P>), {
    credentials: 'same-origin',
    headers: { Accept: 'text/csv' },
  }).catch(() => null);
  if (!answer?.ok) throw new ApiProblem(answer?.status ?? 0, await answer?.json().catch(() => null));
  saveBlob(filename, await answer.blob());
}

/** Downloads what a list shows: `<CsvButton path="/v2/cdr/" query={filters.query} filename="calls.csv" />`. */
export const CsvButton = ({ path, query, filename }: { path: CsvPath; query: object; filename: string }) => (
  <DownloadButton save={() => downloadCsv(path, query, filename)} title="All rows that match the filters">
    CSV
  </DownloadButton>
);
