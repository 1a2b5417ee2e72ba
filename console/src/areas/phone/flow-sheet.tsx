import { Skeleton } from '@mantine/core';
import { useOne } from '../../api/index.ts';
import { screensOf, type Values } from '../../parts/flows/flow-definition.ts';
import { FlowForm } from '../../parts/flows/flow-form.tsx';
import { Sheet } from './frame/sheet.tsx';
import type { Message } from './types.ts';

/** The form that a message opens. */
export function FlowSheet({
  flow,
  title,
  onClose,
  onSend,
}: {
  flow: NonNullable<Message['flow']>;
  title: string;
  onClose(): void;
  onSend(answers: Values): void;
}) {
  const { flow_id: id, screen, data } = flow;
  const query = useOne('/v2/sandbox/flows/{flow_id}/', { flow_id: id ?? '' }, {}, { enabled: id !== null });
  const isWaiting = id !== null && query.isPending;
  return (
    <Sheet title={query.data?.name || flow.name || title} onClose={onClose} tall>
      {isWaiting ? (
        <Skeleton h={200} aria-busy="true" />
      ) : (
        <FlowForm screens={screensOf(query.data?.definition)} first={screen} data={data} onComplete={onSend} />
      )}
    </Sheet>
  );
}
