import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconRefresh } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Schema, sayProblem } from '../../api/index.ts';
import { invalidate } from '../../api/refresh.ts';
import { confirm } from '../actions/confirm.tsx';
import { sayFigure } from '../words.ts';
import { sayErrors } from './hold-back.tsx';
import type { Selection } from './selection.tsx';

interface ResendButtonProps {
  selection: Selection;
  rows: { uuid: string; status: string; resent_as?: string }[];
  /** `message`, `messages` */
  one: string;
  many: string;
  run(uuids: string[]): Promise<Schema<'ResendResult'>>;
  invalidates: string[];
}

/** Sends those of the chosen rows again that failed and were not sent again yet, once whoever asks for it has confirmed it; says why others were not. */
export function ResendButton({ selection, rows, one, many, run, invalidates }: ResendButtonProps) {
  const client = useQueryClient();
  const failed = rows.filter(
    ({ uuid, status, resent_as }) => status === 'FAILED' && !resent_as && selection.chosen.has(uuid),
  );
  const sayCount = (count: number): string => `${sayFigure(count)} ${count === 1 ? one : many}`;
  const resend = useMutation({
    mutationFn: run,
    onSuccess: async (answer) => {
      if (answer.done > 0) notifications.show({ message: `${sayCount(answer.done)} sent again.` });
      sayErrors(answer);
      selection.choose([]);
      await invalidate(client, invalidates);
    },
    onError: (error) => notifications.show({ color: 'red', title: 'Request failed', message: sayProblem(error) }),
  });
  const ask = async (): Promise<void> => {
    const uuids = failed.map(({ uuid }) => uuid);
    const yes = await confirm({
      title: `Send ${sayCount(uuids.length)} again?`,
      text: 'Each is sent as a new one with the same content, and may cost again. What failed stays in the list.',
      button: 'Send again',
      harmless: true,
    });
    if (yes) resend.mutate(uuids);
  };
  return (
    <Button
      size="xs"
      variant="light"
      disabled={failed.length === 0}
      loading={resend.isPending}
      leftSection={<IconRefresh size={14} />}
      title={failed.length === 0 ? 'None of them has failed, or all were sent again.' : undefined}
      onClick={() => void ask()}
    >
      Send {sayFigure(failed.length)} failed again
    </Button>
  );
}
