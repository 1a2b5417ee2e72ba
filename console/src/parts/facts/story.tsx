import { Skeleton, Stack, Text, Timeline } from '@mantine/core';
import { type Icon, IconPoint } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../page/empty-state.tsx';
import { Json } from './json.tsx';
import classes from './story.module.css';
import { Time } from './time.tsx';

export interface Step {
  id: string;
  at: string;
  /** A sentence: `The carrier took it.` */
  text: ReactNode;
  icon?: Icon;
  /** Of Mantine: `red` for what went wrong. Never the only sign. */
  color?: string;
  /** What brought it about: a link to the webhook, the message, the rule. */
  cause?: ReactNode;
  /** Shown when asked for. */
  data?: unknown;
}

const words = (kind: string): string =>
  kind
    .replaceAll(/[._]/g, ' ')
    .replace(/^./, (first) => first.toUpperCase())
    .replaceAll(/\b(sms|sip)\b/gi, (name) => name.toUpperCase());

/** A timeline event of the API as a step: `events.rows.map(stepOf)`. Areas may replace its text. */
export const stepOf = (event: { uuid: string; kind: string; at: string; data: object }): Step => ({
  id: event.uuid,
  at: event.at,
  text: words(event.kind),
  ...(/fail|reject|error|problem|disabled/.test(event.kind) && { color: 'red' }),
  ...(Object.keys(event.data).length > 0 && { data: event.data }),
});

/** What happened, from top to bottom: `<Story steps={events.rows.map(stepOf)} />`. */
export function Story({ steps, loading = false }: { steps: Step[]; loading?: boolean }) {
  if (loading) return <Skeleton h={120} aria-busy="true" />;
  if (steps.length === 0) return <EmptyState title="Nothing has happened yet." />;
  return (
    <Timeline active={steps.length} bulletSize={24} lineWidth={2} component="ol" className={classes['story']}>
      {steps.map(({ id, at, text, icon: Icon = IconPoint, color, cause, data }) => (
        <Timeline.Item key={id} component="li" bullet={<Icon size={14} />} {...(color && { color })}>
          <Stack gap={2}>
            <Text component="div" size="sm" fw={500}>
              {text}
            </Text>
            {cause && (
              <Text component="div" size="sm" c="dimmed">
                {cause}
              </Text>
            )}
            <Text component="div" size="xs" c="dimmed">
              <Time at={at} />
            </Text>
            {data !== undefined && <Json value={data} title="Details" />}
          </Stack>
        </Timeline.Item>
      ))}
    </Timeline>
  );
}
