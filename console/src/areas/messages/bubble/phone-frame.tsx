import { Text } from '@mantine/core';
import { IconUserCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './bubble.module.css';
import { Bubble } from './bubble.tsx';
import type { View } from './view.ts';

/** How a message will look on the phone of whoever gets it. */
export const PhonePreview = ({ from, view, note }: { from: string; view: View; note?: ReactNode }) => (
  <section className={classes['phone']} aria-label="Preview on the phone">
    <div className={classes['top']}>
      <IconUserCircle size={26} stroke={1.4} aria-hidden />
      <div style={{ minWidth: 0 }}>
        <Text size="sm" fw={600} truncate>
          {from || 'Your number'}
        </Text>
        <Text size="xs" c="dimmed">
          Preview
        </Text>
      </div>
    </div>
    <div className={classes['talk']}>
      <Bubble view={view} side="in" />
      {note && (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </div>
  </section>
);
