import { useReducer, useRef } from 'react';
import type { List } from '../../api/hooks.ts';
import { type Kept, keepStill, showAll } from './keep-still.ts';

export interface Still<R> extends Kept<R> {
  /** Shows what waits. */
  show(): void;
}

/**
 * The rows of a list that follows events, keeping still while `isWatched`: somebody points at a row, has gone to it by the keyboard, has
 * scrolled away from the top or has chosen some. In a ref, as it depends on what was shown before, and not on how often it was drawn.
 */
export function useStill<R>(list: List<R>, keyOf: (row: R) => string, isWatched: () => boolean): Still<R> {
  const { id, rows, hasMore } = list;
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  const last = useRef({ id, rows, kept: showAll(rows) });
  if (last.current.id !== id || last.current.rows !== rows) {
    const { kept } = last.current;
    const isSame = last.current.id === id && kept.rows.length > 0 && rows.length > 0;
    const next = isSame && isWatched() ? keepStill(kept.rows, rows, keyOf, hasMore) : showAll(rows);
    last.current = { id, rows, kept: next };
  }
  const show = (): void => {
    last.current = { id, rows, kept: showAll(rows) };
    redraw();
  };
  return { ...last.current.kept, show };
}
