import { VisuallyHidden } from '@mantine/core';
import { IconAlertCircle, IconCheck, IconChecks, IconClock } from '@tabler/icons-react';
import classes from './bubble.module.css';

export type Progress = 'sending' | 'sent' | 'delivered' | 'read' | 'failed';

const words: Record<Progress, string> = {
  sending: 'Sending',
  sent: 'Sent',
  delivered: 'Delivered',
  read: 'Read',
  failed: 'Not sent',
};

const icons = { sending: IconClock, sent: IconCheck, delivered: IconChecks, read: IconChecks, failed: IconAlertCircle };

/** How far a message has come that was written on this phone: one tick, two, two coloured. */
export function Ticks({ progress }: { progress: Progress }) {
  const Icon = icons[progress];
  return (
    <span className={classes['ticks']} data-progress={progress} title={words[progress]}>
      <Icon size={16} stroke={2} aria-hidden />
      <VisuallyHidden>{words[progress]}</VisuallyHidden>
    </span>
  );
}
