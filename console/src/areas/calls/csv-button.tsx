import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { ApiProblem, sayProblem, urlOf } from '../../api/index.ts';

interface CsvButtonProps {
  path: '/v2/cdr/' | '/v2/sms-records/';
  /** The filters of the list: the file has the same rows. */
  query: Record<string, string | undefined>;
  filename: string;
}

/** Downloads all rows that the filters let through as a file. */
export function CsvButton({ path, query, filename }: CsvButtonProps) {
  const [pending, setPending] = useState(false);
  const download = async () => {
    setPending(true);
    try {
      const headers = { Accept: 'text/csv' };
      const response = await fetch(urlOf(path, undefined, query), { credentials: 'same-origin', headers });
      if (!response.ok) throw new ApiProblem(response.status, await response.json().catch(() => null));
      save(await response.blob(), filename);
    } catch (error) {
      notifications.show({ color: 'red', title: 'That did not work', message: sayProblem(error) });
    } finally {
      setPending(false);
    }
  };
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} />}
      loading={pending}
      onClick={() => void download()}
      title="All rows that the filters let through"
    >
      CSV
    </Button>
  );
}

function save(file: Blob, filename: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = filename;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
