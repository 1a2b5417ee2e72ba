import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { call, type Query, sayProblem } from '../../api/index.ts';
import { downloadCsv } from '../../parts/index.ts';

/** Up to so many the file comes at once; more are a job, whose page has the file. */
const atOnce = 10_000;

/** All contacts that the filters let through, as a CSV file. */
export function ExportContacts({ query, count }: { query: Query<'/v2/contacts/'>; count: number | undefined }) {
  const [, navigate] = useLocation();
  const [busy, setBusy] = useState(false);
  const { ordering: _, ...filters } = query;
  const save = async () => {
    setBusy(true);
    try {
      if ((count ?? 0) >= atOnce) {
        const job = await call('post', '/v3/jobs/', { body: { type: 'contacts.export', input: filters } as never });
        return navigate(`/jobs/${job.id}`);
      }
      await downloadCsv('/v2/contacts/', filters, 'contacts.csv');
    } catch (error) {
      notifications.show({ color: 'red', title: 'That did not work', message: sayProblem(error) });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} />}
      loading={busy}
      disabled={!count}
      onClick={() => void save()}
    >
      Export
    </Button>
  );
}
