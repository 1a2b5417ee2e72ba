import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { api } from '../../api/index.ts';

/** The whole log of an intro as a file for a spreadsheet. */
export function DownloadLog({ uuid }: { uuid: string }) {
  const [busy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    try {
      const { data } = await api.GET('/v2/chatapp/chat-intros/{uuid}/logs/', {
        params: { path: { uuid }, query: { ordering: 'created' } },
        headers: { accept: 'text/csv' },
        parseAs: 'blob',
      });
      if (!data) throw new Error('No file came.');
      const link = document.createElement('a');
      link.href = URL.createObjectURL(data as Blob);
      link.download = `intro-${uuid}.csv`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    } catch {
      notifications.show({ color: 'red', title: 'That did not work', message: 'The file could not be read.' });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconDownload size={15} />}
      loading={busy}
      onClick={() => void download()}
    >
      CSV
    </Button>
  );
}
