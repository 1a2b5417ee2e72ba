import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { urlOf } from '../api/client.ts';
import { ApiProblem, sayProblem } from '../api/problem.ts';
import { saveBlob } from './save-file.ts';

/** Lists that the API also gives as CSV. */
type CsvPath = '/v2/cdr/' | '/v2/sms-records/' | '/v2/audit-log/' | '/v2/contacts/';

/** All rows that the filters let through, as a file in the browser's downloads. */
export async function downloadCsv(path: CsvPath, query: object, filename: string): Promise<void> {
  const answer = await fetch(urlOf(path, undefined, query), {
    credentials: 'same-origin',
    headers: { Accept: 'text/csv' },
  }).catch(() => null);
  if (!answer?.ok) throw new ApiProblem(answer?.status ?? 0, await answer?.json().catch(() => null));
  saveBlob(filename, await answer.blob());
}

/** Downloads what a list shows: `<CsvButton path="/v2/cdr/" query={filters.query} filename="calls.csv" />`. */
export function CsvButton({ path, query, filename }: { path: CsvPath; query: object; filename: string }) {
  const [pending, setPending] = useState(false);
  const download = () => {
    setPending(true);
    downloadCsv(path, query, filename)
      .catch((error) => notifications.show({ color: 'red', title: 'That did not work', message: sayProblem(error) }))
      .finally(() => setPending(false));
  };
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} />}
      loading={pending}
      onClick={download}
      title="All rows that the filters let through"
    >
      CSV
    </Button>
  );
}
