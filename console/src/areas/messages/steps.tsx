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
  IconRefresh,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { type Schema, textOf } from '../../api/index.ts';
import { type Step, stepOf } from '../../parts/index.ts';

type Event = Schema<'TimelineEvent'>;

const known: Record<string, readonly [text: string, icon: Icon, color?: string]> = {
  'message.queued': ['Accepted and queued.', IconClock, 'gray'],
  'message.sent': ['Sent to the platform.', IconCheck, 'blue'],
  'message.delivered': ['Delivered.', IconChecks],
  'message.read': ['Read.', IconEye, 'green'],
  'message.confirmed': ['Used by the person.', IconCheck, 'green'],
  'message.failed': ['Failed.', IconCircleX, 'red'],
  'message.cancelled': ['Cancelled before sending.', IconBan, 'gray'],
  'message.received': ['Received.', IconMessageDown],
  'message.resent': ['Sent again, as a new message.', IconRefresh],
  'message.routed': ['Handled by a routing rule.', IconHierarchy],
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
  if (kind === 'message.resent')
    return (
      <Anchor component={Link} href={`/messages/${textOf(data['sent_as'])}`} inherit>
        The new message
      </Anchor>
    );
  if (kind === 'message.routed') return <Routed data={data} />;
  const late = data['applied'] === false ? 'Late or duplicate report; ignored.' : '';
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
