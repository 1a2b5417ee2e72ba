import { createElement, Fragment, memo, type ReactNode } from 'react';
import classes from './bubble.module.css';
import { useBubbleActs } from './bubble-acts.ts';

/** Marks stand at the edges of words, as chat apps read them: `*bold*`, `_italic_`, `~struck~`, and code. */
const marked =
  /```([\s\S]+?)```|`([^`\n]+)`|(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]'*_~])|(?<![\w*])\*(\S(?:[^\n*]*\S)?)\*(?![\w*])|(?<![\w_])_(\S(?:[^\n_]*\S)?)_(?![\w_])|(?<![\w~])~(\S(?:[^\n~]*\S)?)~(?![\w~])/g;

function nodesOf(text: string, link: (url: string) => ReactNode): ReactNode {
  const nodes: ReactNode[] = [];
  let end = 0;
  for (const found of text.matchAll(marked)) {
    const [whole, block, code, url, bold, italic, struck] = found;
    if (found.index > end) nodes.push(text.slice(end, found.index));
    end = found.index + whole.length;
    const inside = (words: string) => nodesOf(words, link);
    if (block !== undefined || code !== undefined) nodes.push(<code>{block ?? code}</code>);
    else if (url !== undefined) nodes.push(link(url));
    else if (bold !== undefined) nodes.push(<strong>{inside(bold)}</strong>);
    else if (italic !== undefined) nodes.push(<em>{inside(italic)}</em>);
    else if (struck !== undefined) nodes.push(<s>{inside(struck)}</s>);
  }
  nodes.push(text.slice(end));
  // Told one by one, they need no keys.
  return createElement(Fragment, null, ...nodes);
}

/** Text as a chat app shows it, with its marks and links. A tap on a link opens it on the phone. */
export const RichText = memo(function RichText({ text }: { text: string }) {
  const { follow } = useBubbleActs();
  const link = (url: string) => (
    <button type="button" className={classes['link']} onClick={() => follow(url)}>
      {url}
    </button>
  );
  return <span className={classes['text']}>{nodesOf(text, link)}</span>;
});
