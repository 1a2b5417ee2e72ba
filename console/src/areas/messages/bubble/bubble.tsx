import type { ReactNode } from 'react';
import classes from './bubble.module.css';
import { Content } from './content.tsx';
import type { View } from './view.ts';

interface BubbleProps {
  view: View;
  /** `out`: on the right, as one's own. */
  side: 'in' | 'out';
  /** Above the content: what it answers. */
  quote?: ReactNode;
  /** In its corner: the time, how far it has come. */
  meta?: ReactNode;
}

/** One message as a chat shows it. */
export const Bubble = ({ view, side, quote, meta }: BubbleProps) => (
  <div className={classes['bubble']} data-side={side}>
    {quote && <div className={classes['quote']}>{quote}</div>}
    <Content view={view} />
    {meta && <div className={classes['meta']}>{meta}</div>}
  </div>
);
