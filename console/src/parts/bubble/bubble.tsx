import type { ReactNode } from 'react';
import classes from './bubble.module.css';

interface BubbleProps {
  /** `out`: on the right, as one's own. */
  side: 'in' | 'out';
  /** Above the content: what it answers. */
  quote?: ReactNode;
  /** In its corner: the time, how far it has come. */
  meta?: ReactNode;
  /** A `Content`. */
  children: ReactNode;
}

/** One message as a chat shows it. */
export const Bubble = ({ side, quote, meta, children }: BubbleProps) => (
  <div className={classes['bubble']} data-side={side}>
    {quote && <div className={classes['quote']}>{quote}</div>}
    {children}
    {meta && <div className={classes['meta']}>{meta}</div>}
  </div>
);
