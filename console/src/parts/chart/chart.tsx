import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { ChartProps } from './chart-drawn.tsx';

const Drawn = lazy(() => import('./chart-drawn.tsx'));

/**
 * A chart; the library comes when the first one is shown.
 * `<Chart kind="bar" label="Messages by hour" data={hours} x="hour" series={[{ name: 'sent', color: 'brand.6' }]} stacked />`
 */
export const Chart = (props: ChartProps) => (
  <Suspense fallback={<Skeleton h={props.height ?? 240} />}>
    <Drawn {...props} />
  </Suspense>
);
