import { Card, Group, Skeleton, Text } from '@mantine/core';
import { type Icon, IconTrendingDown, IconTrendingUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { locale } from '../locale.ts';
import { sayFigure } from '../words.ts';

export interface StatProps {
  label: string;
  /** A number is grouped by thousands; `undefined` shows that it is still coming. */
  value: number | string | undefined;
  /** Against an earlier time, as a share: 0.12 is +12 %. */
  delta?: number | undefined;
  /** What it is compared with or counted over: `since yesterday`. */
  hint?: ReactNode;
  icon?: Icon;
}

const share = new Intl.NumberFormat(locale, { style: 'percent', signDisplay: 'exceptZero', maximumFractionDigits: 1 });

/** A figure with its label, for dashboards. Several stand in a Mantine `SimpleGrid`. */
export const Stat = ({ label, value, delta, hint, icon: Icon }: StatProps) => (
  <Card p="md">
    <Group justify="space-between" gap="xs" wrap="nowrap">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      {Icon && <Icon size={18} stroke={1.6} aria-hidden />}
    </Group>
    {value === undefined ? (
      <Skeleton h={32} w={90} mt={6} />
    ) : (
      <Text fz={28} fw={650} lh={1.25} mt={2}>
        {typeof value === 'number' ? sayFigure(value) : value}
      </Text>
    )}
    {(delta !== undefined || hint) && (
      <Group gap={6} mt={2}>
        {delta !== undefined && <Delta share={delta} />}
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
      </Group>
    )}
  </Card>
);

const Delta = ({ share: value }: { share: number }) => (
  <Group gap={2}>
    {value < 0 ? <IconTrendingDown size={14} aria-hidden /> : <IconTrendingUp size={14} aria-hidden />}
    <Text size="xs" fw={600}>
      {share.format(value)}
    </Text>
  </Group>
);
