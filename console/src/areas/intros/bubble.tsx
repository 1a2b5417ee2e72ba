import { Text } from '@mantine/core';
import { IconUserCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './chat.module.css';

/** A phone with a chat on its screen; its children are `Line`s. */
export const PhoneFrame = ({ owner, chat, children }: { owner: string; chat: string; children: ReactNode }) => (
  <section className={classes['phone']} aria-label={owner}>
    <div className={classes['top']}>
      <IconUserCircle size={26} stroke={1.4} aria-hidden />
      <div style={{ minWidth: 0 }}>
        <Text size="sm" fw={600} truncate>
          {chat}
        </Text>
        <Text size="xs" c="dimmed">
          {owner}
        </Text>
      </div>
    </div>
    <ol className={classes['talk']}>{children}</ol>
  </section>
);

/** Between bubbles: what happens. */
export const Note = ({ children }: { children: ReactNode }) => <li className={classes['note']}>{children}</li>;

/** A bubble in a phone: `out` is what its owner wrote. */
export const Line = ({ side, children }: { side: 'in' | 'out'; children: ReactNode }) => (
  <li className={classes['line']} data-side={side}>
    <Bubble side={side}>{children}</Bubble>
  </li>
);

/** A bubble by itself. */
export const Bubble = ({ side, children }: { side: 'in' | 'out'; children: ReactNode }) => (
  <div className={classes['bubble']} data-side={side}>
    {children}
  </div>
);

/** The text of a bubble. */
export const Words = ({
  header,
  footer,
  children,
}: {
  header?: ReactNode;
  footer?: ReactNode;
  children: ReactNode;
}) => (
  <div className={classes['words']}>
    {header && <div className={classes['header']}>{header}</div>}
    {children}
    {footer && <div className={classes['footer']}>{footer}</div>}
  </div>
);

/** Something to tap below the text. */
export const Tap = ({ icon, children }: { icon?: ReactNode; children: ReactNode }) => (
  <div className={classes['button']}>
    {icon}
    <span>{children}</span>
  </div>
);
