import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Chart } from '../../parts/index.ts';
import type { Log } from './shares.ts';

interface Sample {
  at: string;
  rate: number;
  [key: string]: string | number;
}

/** Four minutes at one sample in two seconds. */
const most = 120;

/** The rate since the page was opened: the API tells the present one only. */
export function RateChart({ log }: { log: Log }) {
  const [samples, setSamples] = useState<Sample[]>([]);
  const { rate, status, queued, sent, delivered, read } = log;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer that tells something new is a sample
  useEffect(() => {
    if (status !== 'RUNNING') return;
    const at = new Date().toLocaleTimeString('en-GB');
    setSamples((old) => [...old.filter((sample) => sample.at !== at), { at, rate }].slice(-most));
  }, [rate, status, queued, sent, delivered, read]);
  if (samples.length < 2) return <Text c="dimmed">Drawn from now on, while this page is open.</Text>;
  return (
    <>
      <Chart
        kind="area"
        label="Messages per second"
        data={samples}
        x="at"
        series={[{ name: 'rate', label: 'Messages per second', color: 'brand.6' }]}
        height={220}
      />
      <Text size="xs" c="dimmed" mt="xs">
        Since you opened this page.
      </Text>
    </>
  );
}
