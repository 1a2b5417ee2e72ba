import { Text } from '@mantine/core';
import { IconUserCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './bubble.module.css';
import { Bubble } from './bubble.tsx';
import { Content } from './content.tsx';
import type { View } from './view.ts';

/** A phone with a chat on its screen; its children are `Line`s and `Note`s. */
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
export const Note = ({ children }: { children: ReactNode }) => <li className={classes['between']}>{children}</li>;

/** A bubble in a phone: `out` is what its owner wrote. */
export const Line = ({ side, children }: { side: 'in' | 'out'; children: ReactNode }) => (
  <li className={classes['line']} data-side={side}>
    <Bubble side={side}>{children}</Bubble>
  </li>
);

/** Whether there is nothing to be seen in a bubble. */
const isBlank = ({ plain: _, ...seen }: View): boolean =>
  Object.values(seen).every((value) => !value || (Array.isArray(value) && value.length === 0));

/** How a message will look on the phone of whoever gets it. */
export const PhonePreview = ({ from, view, note }: { from: string; view: View; note?: ReactNode }) => (
  <PhoneFrame owner="Preview on the phone" chat={from || 'Your number'}>
    {isBlank(view) ? (
      <Note>What you write is shown here.</Note>
    ) : (
      <>
        <Line side="in">
          <Content view={view} />
        </Line>
        {note && <Note>{note}</Note>}
      </>
    )}
  </PhoneFrame>
);
