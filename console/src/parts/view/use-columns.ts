import { useMemo } from 'react';
import type { Column } from './column.ts';
import { useKept } from './kept.ts';

const isText = (value: unknown): value is string => typeof value === 'string';

export interface Columns<R> {
  all: Column<R>[];
  /** Those that are shown; never none. */
  shown: Column<R>[];
  toggle(title: string): void;
}

/** The columns of a list that whoever is signed in has chosen, kept by this browser. */
export function useColumns<R>(label: string, all: Column<R>[]): Columns<R> {
  const [hidden, setHidden] = useKept(`columns ${label}`, isText);
  const key = hidden.join('\n');
  const shown = useMemo(() => {
    const gone = key.split('\n');
    const rest = all.filter(({ title }) => !gone.includes(title));
    return rest.length > 0 ? rest : all;
  }, [all, key]);
  const toggle = (title: string): void => {
    if (hidden.includes(title)) setHidden(hidden.filter((one) => one !== title));
    // The last one stays.
    else if (shown.length > 1) setHidden([...hidden, title]);
  };
  return { all, shown, toggle };
}
