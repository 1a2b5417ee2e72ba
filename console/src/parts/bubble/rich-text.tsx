import { createElement, Fragment, memo, type ReactNode } from 'react';
import { Gap } from './gap.tsx';

const gap = String.raw`\{\{\s*(?<gap>[^{}]+?)\s*\}\}`;

/** Marks stand at the edges of words, as chat apps read them; `{{name}}` is a gap. */
const marked = new RegExp(
  [
    /```(?<block>[\s\S]+?)```/.source,
    /`(?<code>[^`\n]+)`/.source,
    /(?<url>https?:\/\/[^\s<>"{}]+[^\s<>"{}.,;:!?)\]'*_~])/.source,
    gap,
    /(?<![\w*])\*(?<bold>\S(?:[^\n*]*\S)?)\*(?![\w*])/.source,
    /(?<![\w_])_(?<italic>\S(?:[^\n_]*\S)?)_(?![\w_])/.source,
    /(?<![\w~])~(?<struck>\S(?:[^\n~]*\S)?)~(?![\w~])/.source,
  ].join('|'),
  'g',
);
const unmarked = new RegExp(gap, 'g');

/** What stands for a link and for a gap, which is given as it is written and by its name. */
export interface Pieces {
  link(url: string): ReactNode;
  gap(name: string, whole: string): ReactNode;
}

/** Text with the marks of chat apps as elements. */
export function nodesOf(text: string, pieces: Pieces, marks = marked): ReactNode {
  const nodes: ReactNode[] = [];
  const inner = (words: string) => nodesOf(words, pieces, marks);
  let end = 0;
  for (const found of text.matchAll(marks)) {
    const { block, code, url, gap, bold, italic, struck } = found.groups ?? {};
    nodes.push(text.slice(end, found.index));
    end = found.index + found[0].length;
    if (block ?? code) nodes.push(<code>{block ?? code}</code>);
    else if (url) nodes.push(pieces.link(url));
    else if (gap) nodes.push(pieces.gap(gap, found[0]));
    else if (bold) nodes.push(<strong>{inner(bold)}</strong>);
    else if (italic) nodes.push(<em>{inner(italic)}</em>);
    else if (struck) nodes.push(<s>{inner(struck)}</s>);
  }
  nodes.push(text.slice(end));
  // Told one by one, they need no keys.
  return createElement(Fragment, null, ...nodes);
}

const pieces: Pieces = {
  link: (url) => (
    <a href={url} target="_blank" rel="noreferrer">
      {url}
    </a>
  ),
  gap: (name) => <Gap name={name} />,
};

/** Text as a chat app shows it: bold, italic, struck, code, links; gaps are marked. An SMS, `plain`, has gaps alone. */
export const RichText = memo(({ text, plain = false }: { text: string; plain?: boolean }) =>
  nodesOf(text, pieces, plain ? unmarked : marked),
);
