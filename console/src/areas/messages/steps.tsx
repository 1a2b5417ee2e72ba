import { Anchor } from '@mantine/core';
import {
  type Icon,
  IconBan,
  IconCheck,
  IconChecks,
  IconCircleX,
  IconClock,
  IconEye,
  IconHierarchy,
  IconMessageDown,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { type Schema, textOf } from '../../api/index.ts';
import { type Step, stepOf } from '../../parts/index.ts';

type Event = Schema<'TimelineEvent'>;

const known: Record<string, readonly [text: string, icon: Icon, color?: string]> = {
  'message.queued': ['Accepted, and waiting for its turn.', IconClock, 'gray'],
  'message.sent': ['The platform took it.', IconCheck, 'blue'],
  'message.delivered': ['It arrived on the phone.', IconChecks],
  'message.read': ['The person read it.', IconEye, 'green'],
  'message.failed': ['It failed.', IconCircleX, 'red'],
  'message.cancelled': ['It was cancelled before it was sent.', IconBan, 'gray'],
  'message.received': ['The person wrote it.', IconMessageDown],
  'message.routed': ['A routing rule took it on.', IconHierarchy],
};

/** What happened to a message, told in sentences, with what brought it about. */
export function stepsOf(events: Event[]): Step[] {
  return events.map((event) => {
    const { kind, data } = event;
    const [text, icon, color] = known[kind] ?? [];
    const cause = causeOf(kind, data);
    return {
      ...stepOf(event),
      ...(text && { text }),
      ...(icon && { icon }),
      ...(color && { color }),
      ...(cause && { cause }),
    };
  });
}

function causeOf(kind: string, data: Record<string, unknown>): ReactNode {
  if (kind === 'message.routed') return <Routed data={data} />;
  const late = data['applied'] === false ? 'Reported late or once more: it changed nothing.' : '';
  return [textOf(data['status_description']), late].filter(Boolean).join(' ');
}

function Routed({ data }: { data: Record<string, unknown> }) {
  const [config, route, destination, to, sent] = ['config', 'route', 'destination', 'to', 'sent'].map((name) =>
    textOf(data[name]),
  );
  return (
    <>
      {route && `Rule “${route}”`}
      {destination && `, to ${destination.toLowerCase()}`} {to}
      {config && (
        <>
          {' · '}
          <Anchor component={Link} href={`/routing/${config}`} size="sm" underline="always">
            The rules
          </Anchor>
        </>
      )}
      {sent && (
        <>
          {' · '}
          <Anchor component={Link} href={`/messages/${sent}`} size="sm" underline="always">
            What was sent on
          </Anchor>
        </>
      )}
    </>
  );
}
