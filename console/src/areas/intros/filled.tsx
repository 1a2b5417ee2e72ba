import { VisuallyHidden } from '@mantine/core';
import classes from './chat.module.css';
import { piecesOf } from './fill.ts';
import { useKnownNames } from './names-context.ts';

/** A text with its placeholders filled; made-up, later and missing values are marked as such. */
export function Filled({ text }: { text: string }) {
  const names = useKnownNames();
  return piecesOf(text).map((piece, index) => {
    // biome-ignore-start lint/suspicious/noArrayIndexKey: pieces have no other name
    if ('text' in piece) return <span key={index}>{piece.text}</span>;
    const known = names.find(({ name }) => name === piece.name);
    if (!known)
      return (
        <mark key={index} className={classes['missing']} title="No value: it would be left empty.">
          {piece.name}
          <VisuallyHidden> (no value)</VisuallyHidden>
        </mark>
      );
    if (known.value === undefined)
      return (
        <span key={index} className={classes['later']} title={known.from}>
          {piece.name}
          <VisuallyHidden> (comes from an answer)</VisuallyHidden>
        </span>
      );
    return (
      <span key={index} className={known.sample ? classes['sample'] : undefined} title={`${piece.name}: ${known.from}`}>
        {known.value}
      </span>
    );
    // biome-ignore-end lint/suspicious/noArrayIndexKey: pieces have no other name
  });
}
