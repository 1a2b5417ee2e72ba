import { Button, type ButtonProps } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { notifications } from '../../api/notifications.ts';
import { sayProblem } from '../../api/problem.ts';

interface DownloadButtonProps extends Pick<ButtonProps, 'size' | 'disabled'> {
  /** Gets the file and hands it to the browser; what goes wrong is told. */
  save(): Promise<unknown>;
  title?: string;
  children: ReactNode;
}

/** Makes a file and saves it; busy while it does. */
export function DownloadButton({ save, ...props }: DownloadButtonProps) {
  const [busy, setBusy] = useState(false);
  const download = () => {
    setBusy(true);
    save()
      .catch((error) => notifications.show({ color: 'red', title: 'Download failed', message: sayProblem(error) }))
      .finally(() => setBusy(false));
  };
  return (
    <Button variant="default" leftSection={<IconDownload size={16} />} loading={busy} onClick={download} {...props} />
  );
}
