import { createElement, Fragment, memo, type ReactNode } from 'react';
import classes from './bubble.module.css';

/** Marks stand at the edges of words, as chat apps read them; `{{name}}` is a gap that nothing fills. */
const marked =
  /```([\s\S]+?)```|`([^`\n]+)`|(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]'*_~])|\{\{\s*([^{}]+?)\s*\}\}|(?<![\w*])\*(\S(?:[^\n*]*\S)?)\*(?![\w*])|(?<![\w_])_(\S(?:[^\n_]*\S)?)_(?![\w_])|(?<![\w~])~(\S(?:[^\n~]*\S)?)~(?![\w~])/g;

function nodesOf(text: string): ReactNode {
  const nodes: ReactNode[] = [];
  let end = 0;
  for (const found of text.matchAll(marked)) {
    const [whole, block, code, url, gap, bold, italic, struck] = found;
    if (found.index > end) nodes.push(text.slice(end, found.index));
    end = found.index + whole.length;
    if (block !== undefined || code !== undefined) nodes.push(<code>{block ?? code}</code>);
    else if (url !== undefined)
      nodes.push(
        <a href={url} target="_blank" rel="noreferrer">
          {url}
        </a>,
      );
    else if (gap !== undefined) nodes.push(<mark className={classes['gap']}>{`{{${gap}}}`}</mark>);
    else if (bold !== undefined) nodes.push(<strong>{nodesOf(bold)}</strong>);
    else if (italic !== undefined) nodes.push(<em>{nodesOf(italic)}</em>);
    else if (struck !== undefined) nodes.push(<s>{nodesOf(struck)}</s>);
  }
  nodes.push(text.slice(end));
  // Told one by one, they need no keys.
  return createElement(Fragment, null, ...nodes);
}

/** Text as a chat app shows it: bold, italic, struck, code, links; gaps are marked. */
export const RichText = memo(({ text }: { text: string }) => nodesOf(text));
