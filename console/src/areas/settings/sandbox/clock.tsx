import { Button, Group, NumberInput, Select, SimpleGrid, Stack } from '@mantine/core';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, useAct } from '../../../api/index.ts';
import { useHere } from '../../../parts/account.tsx';
import { Loaded, May, Section, Stat, Time } from '../../../parts/index.ts';
import { locale } from '../../../parts/locale.ts';

const path = '/v2/sandbox/clock/';

const clockQuery = queryOptions({
  queryKey: [path],
  queryFn: () => call('get', path),
  refetchInterval: 5000,
});

const steps = [
  { label: '1 minute', seconds: 60 },
  { label: '1 hour', seconds: 3600 },
  { label: '1 day', seconds: 86_400 },
];
const units = [
  { value: '60', label: 'minutes' },
  { value: '3600', label: 'hours' },
  { value: '86400', label: 'days' },
];

/** Steps the sandbox's time forward, or lets it run faster. */
export function Clock() {
  const { timeZone } = useHere();
  const client = useQueryClient();
  const clock = useQuery(clockQuery);
  const move = useAct('post', path, {
    invalidates: [path],
    onDone: (now) => client.setQueryData([path], now),
  });
  const [amount, setAmount] = useState<number | string>(2);
  const [unit, setUnit] = useState('3600');
  const step = (seconds: number) => move.mutate({ body: { advance_seconds: seconds } });
  return (
    <Section
      title="Clock"
      description="Sandbox receipts, replies, retries and calls follow this clock. It does not affect other times. After going back to real time, whatever is scheduled or retried keeps its moment."
    >
      <Loaded query={clock}>
        {({ now, speed }) => (
          <Stack>
            <SimpleGrid cols={{ base: 1, xs: 2 }} maw="36rem" aria-live="polite">
              <Stat label="Time in the sandbox" value={sayTime(now, timeZone)} hint={<Time at={now} exact />} />
              <Stat label="Speed" value={speed === 0 ? 'Stopped' : `${speed} ×`} hint="of real time" />
            </SimpleGrid>
            <May>
              <Group gap="xs" role="group" aria-label="Step forward">
                {steps.map(({ label, seconds }) => (
                  <Button
                    key={seconds}
                    variant="default"
                    disabled={move.isPending}
                    onClick={() => step(seconds)}
                    aria-label={`Step forward by ${label}`}
                  >
                    + {label}
                  </Button>
                ))}
                <NumberInput aria-label="Amount" w={90} min={0} value={amount} onChange={setAmount} />
                <Select
                  aria-label="Unit"
                  w={120}
                  data={units}
                  allowDeselect={false}
                  value={unit}
                  onChange={(value) => setUnit(value ?? '3600')}
                />
                <Button
                  variant="default"
                  disabled={move.isPending || typeof amount !== 'number'}
                  onClick={() => step(Number(amount) * Number(unit))}
                >
                  Step forward
                </Button>
              </Group>
              <Group gap="xs">
                <Button
                  variant="default"
                  disabled={move.isPending}
                  onClick={() => move.mutate({ body: { reset: true } })}
                >
                  Set to real time
                </Button>
              </Group>
              <Group gap="xs" role="group" aria-label="Speed">
                {[0, 1, 10, 60, 3600].map((value) => (
                  <Button
                    key={value}
                    variant={value === speed ? 'filled' : 'default'}
                    aria-pressed={value === speed}
                    disabled={move.isPending}
                    onClick={() => move.mutate({ body: { speed: value } })}
                  >
                    {value === 0 ? 'Stop' : value === 1 ? 'Normal' : `${value} ×`}
                  </Button>
                ))}
              </Group>
            </May>
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}

const sayTime = (now: string, timeZone: string): string =>
  new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone }).format(new Date(now));
