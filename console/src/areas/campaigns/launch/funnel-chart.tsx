import { Text } from '@mantine/core';
import { Chart } from '../../../parts/index.ts';
import type { Log } from '../wizard/shares.ts';

/** How many of the audience were reached, and how many did something about it. */
export function FunnelChart({ log }: { log: Log }) {
  const { audience, sent, delivered, read, failed, replied, clicked, channel } = log;
  if (!audience) return <Text c="dimmed">Available once the launch has started.</Text>;
  const steps = [
    { step: 'Audience', people: audience },
    { step: 'Sent', people: sent + delivered + read + failed },
    { step: 'Delivered', people: delivered + read },
    ...(channel === 'CHATAPP' ? [{ step: 'Read', people: read }] : []),
    { step: 'Replied', people: replied },
    { step: 'Clicked', people: clicked },
  ];
  return (
    <Chart
      kind="bar"
      label="Funnel"
      data={steps}
      x="step"
      series={[{ name: 'people', label: 'People', color: 'brand.6' }]}
      height={230}
    />
  );
}
