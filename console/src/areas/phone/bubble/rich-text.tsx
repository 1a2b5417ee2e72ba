import { memo } from 'react';
import { nodesOf } from '../../../parts/bubble/index.ts';
import classes from './bubble.module.css';
import { useBubbleActs } from './bubble-acts.ts';

/** Text as a chat app shows it, with its marks and links. A tap on a link opens it on the phone. */
export const RichText = memo(function RichText({ text }: { text: string }) {
  const { follow } = useBubbleActs();
  const link = (url: string) => (
    <button type="button" className={classes['link']} onClick={() => follow(url)}>
      {url}
    </button>
  );
  return <span className={classes['text']}>{nodesOf(text, { link, gap: (_, whole) => whole })}</span>;
});
