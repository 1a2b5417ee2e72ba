import { Checkbox } from '@mantine/core';
import { createContext, useContext, useMemo, useState } from 'react';

/** Which rows of a list are chosen. */
export interface Selection {
  chosen: ReadonlySet<string>;
  toggle(key: string): void;
  /** These, and no others. */
  choose(keys: Iterable<string>): void;
}

/** A context, as the cells of a table are not drawn again for anything else. */
export const SelectionContext = createContext<Selection>({
  chosen: new Set(),
  toggle: () => undefined,
  choose: () => undefined,
});

/**
 * For a list whose rows can be chosen: given to `Listing` and to `SelectionBar`. Another filter or ordering is another list, of
 * which nothing is chosen yet.
 */
export function useSelection(list: { id?: string }): Selection {
  const { id } = list;
  const [state, setState] = useState<{ of: string | undefined; chosen: ReadonlySet<string> }>({
    of: id,
    chosen: none,
  });
  const chosen = state.of === id ? state.chosen : none;
  return useMemo(() => {
    const choose = (keys: Iterable<string>): void => setState({ of: id, chosen: new Set(keys) });
    const toggle = (key: string): void =>
      setState((old) => {
        const next = new Set(old.of === id ? old.chosen : none);
        if (!next.delete(key)) next.add(key);
        return { of: id, chosen: next };
      });
    return { chosen, toggle, choose };
  }, [id, chosen]);
}

const none: ReadonlySet<string> = new Set();

/** The box in front of a row. */
export function SelectBox({ row, name }: { row: string; name: string }) {
  const { chosen, toggle } = useContext(SelectionContext);
  return <Checkbox aria-label={`Select ${name}`} checked={chosen.has(row)} onChange={() => toggle(row)} />;
}
