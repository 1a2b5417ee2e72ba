import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { ApiProblem, type Query, sayProblem, urlOf } from '../../../api/index.ts';
import { saveBlob } from '../../contacts/save-file.ts';

/** All entries that the filters let through, as a file. */
export function AuditCsv({ query }: { query: Query<'/v2/audit-log/'> }) {
  const [pending, setPending] = useState(false);
  const download = async () => {
    setPending(true);
    try {
      const answer = await fetch(urlOf('/v2/audit-log/', undefined, query), {
        credentials: 'same-origin',
        headers: { Accept: 'text/csv' },
      });
      if (!answer.ok) throw new ApiProblem(answer.status, await answer.json().catch(() => null));
      saveBlob('audit-log.csv', await answer.blob());
    } catch (error) {
      const message = error instanceof TypeError ? 'The server cannot be reached.' : sayProblem(error);
      notifications.show({ color: 'red', title: 'That did not work', message });
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
      title="All entries that the filters let through"
    >
      CSV
    </Button>
  );
}
