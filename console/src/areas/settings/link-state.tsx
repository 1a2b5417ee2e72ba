import { SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Section, Stat, Status, Time } from '../../parts/index.ts';

const looks: Record<string, [word: string, label: string]> = {
  UP: ['CONNECTED', 'Up'],
  CONNECTING: ['IN_PROGRESS', 'Connecting'],
  STARTING: ['IN_PROGRESS', 'Starting'],
  DOWN: ['FAILED', 'Down'],
  DISABLED: ['PAUSED', 'Disabled'],
};

/** How a link to a network is, in a word. */
export function LinkState({ state }: { state: string | undefined }) {
  if (!state) return <Status word="UNKNOWN" label="Unknown" />;
  const [word, label] = looks[state] ?? [state, state];
  return <Status word={word} label={label} />;
}

interface LiveLink {
  state: string;
  since: string | null;
  sent: number;
  failed: number;
  queue_depth: number;
  oldest_queued: string | null;
  last_error: string | null;
}

interface LinkStateSectionProps {
  live: LiveLink | undefined;
  /** What is counted: `Parts of SMS`. */
  what: string;
  latency: string;
  /** One more figure. */
  children?: ReactNode;
}

/** How a link does at this moment. */
export const LinkStateSection = ({ live, what, latency, children }: LinkStateSectionProps) => (
  <Section title="Right now">
    {live ? (
      <Stack gap="md">
        <Text size="sm">
          Since <Time at={live.since} exact />.{live.last_error && ` Last error: ${live.last_error}`}
        </Text>
        <SimpleGrid cols={{ base: 2, md: children ? 5 : 4 }}>
          <Stat label={`${what} sent`} value={live.sent} hint="in the last minutes" />
          <Stat label="Failed" value={live.failed} hint="in the last minutes" />
          <Stat label="Response time" value={latency} />
          <Stat
            label="Waiting"
            value={live.queue_depth}
            hint={
              live.oldest_queued ? (
                <>
                  the oldest <Time at={live.oldest_queued} />
                </>
              ) : (
                'in the queue of the account'
              )
            }
          />
          {children}
        </SimpleGrid>
      </Stack>
    ) : (
      <Text size="sm" c="dimmed">
        No status yet. Disabled links are not monitored.
      </Text>
    )}
  </Section>
);

export const sayMs = (ms: number | null): string => (ms === null ? '–' : `${Math.round(ms)} ms`);
