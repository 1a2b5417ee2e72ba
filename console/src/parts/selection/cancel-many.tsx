import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { sayFigure } from '../words.ts';
import { useHoldBack } from './hold-back.tsx';
import type { Selection } from './selection.tsx';
import { SelectionBar } from './selection-bar.tsx';

interface CancelManyProps {
  selection: Selection;
  rows: { uuid: string; status: string }[];
  /** `messages` */
  many: string;
  run(uuids: string[]): Promise<object>;
  invalidates: string[];
  /** Other things that can be done with them. */
  children?: ReactNode;
}

/** Takes back those of the chosen rows that still wait to be sent. */
export function CancelMany({ selection, rows, many, run, invalidates, children }: CancelManyProps) {
  const holdBack = useHoldBack();
  const waiting = rows.filter(({ uuid, status }) => status === 'QUEUED' && selection.chosen.has(uuid));
  const cancel = (): void => {
    const uuids = waiting.map(({ uuid }) => uuid);
    holdBack({ done: `Sending of ${sayFigure(uuids.length)} ${many} cancelled.`, run: () => run(uuids), invalidates });
    selection.choose([]);
  };
  return (
    <SelectionBar selection={selection} shown={rows.map(({ uuid }) => uuid)}>
      {children}
      <Button
        size="xs"
        color="red"
        variant="light"
        disabled={waiting.length === 0}
        leftSection={<IconX size={14} />}
        title={waiting.length === 0 ? 'None of them is waiting to be sent.' : undefined}
        onClick={cancel}
      >
        Cancel {sayFigure(waiting.length)} queued
      </Button>
    </SelectionBar>
  );
}
