import { Alert, Button, Group, Text } from '@mantine/core';
import { IconClockExclamation } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { api } from '../api/client.ts';
import { type Schema, useAct } from '../api/index.ts';
import { useHere } from '../parts/account.tsx';
import { sayExactly } from '../parts/facts/time.tsx';
import { useMay } from '../parts/may.tsx';
import { sayDistance } from './distance.ts';

const path = '/v2/sandbox/clock/';
const lookMs = 60_000;
/** The page is not shown before. */
const deadlineMs = 5000;
/** Clocks that differ by less are the same to a person. */
const leastSeconds = 5;

/** Read past `call`: where the sandbox is off it is refused, which is no news about one's scopes. */
const clockQuery = queryOptions({
  queryKey: [path, 'banner'],
  queryFn: async ({ signal }) => {
    const { data } = await api.GET(path, { signal: AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]) });
    return data ? { ...data, readAt: Date.now() } : null;
  },
  retry: false,
  // Once refused, it is not asked for again: the page is loaded anew after the sandbox is switched on.
  refetchInterval: ({ state }) => (state.data === null ? false : lookMs),
});

type Clock = Schema<'SandboxClock'> & { readAt: number };

/** The account's sandbox clock; null where there is none, and while it is real time there. */
export function useMovedClock(): { clock: Clock | null; isLoading: boolean } {
  const { data, isLoading } = useQuery({ ...clockQuery, enabled: useMay('sandbox:read') });
  const isMoved = data && (data.speed !== 1 || Math.abs(data.ahead_seconds) >= leastSeconds);
  return { clock: isMoved ? data : null, isLoading };
}

/** On every page while the account's sandbox does not live in real time: what time it is there, and how far off that is. */

export function ClockBanner({ clock }: { clock: Clock }) {
  const { shownZone } = useHere();
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const normal = useAct('post', path, { invalidates: [path], done: 'The sandbox clock runs at normal speed.' });
  const reset = useAct('post', path, { invalidates: [path], done: 'The sandbox clock shows the real time.' });
  const { speed, readAt } = clock;
  const sinceMs = Math.max(0, nowMs - readAt);
  const there = new Date(Date.parse(clock.now) + sinceMs * speed);
  const ahead = clock.ahead_seconds + (sinceMs / 1000) * (speed - 1);
  const pace = speed === 0 ? 'It is stopped.' : speed === 1 ? '' : `It runs at ${speed} × speed.`;
  return (
    <Alert
      component="aside"
      role="complementary"
      aria-label="Sandbox clock"
      color="yellow"
      icon={<IconClockExclamation />}
      mb="md"
      py="xs"
    >
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          In the sandbox it is {sayExactly(there, shownZone)}, {sayDistance(ahead)}. {pace}
        </Text>
        <Group gap="xs">
          {normal.may && speed !== 1 && (
            <Button
              size="compact-sm"
              variant="default"
              loading={normal.isPending}
              onClick={() => normal.mutate({ body: { speed: 1 } })}
            >
              Normal speed
            </Button>
          )}
          {reset.may && (
            <Button
              size="compact-sm"
              variant="default"
              loading={reset.isPending}
              onClick={() => reset.mutate({ body: { reset: true } })}
            >
              Back to real time
            </Button>
          )}
          <Button size="compact-sm" variant="subtle" component={Link} href="/settings/sandbox">
            Sandbox settings
          </Button>
        </Group>
      </Group>
    </Alert>
  );
}
