import { Card, Text } from '@mantine/core';
import { type CSSProperties, type ReactNode, useCallback, useMemo, useState } from 'react';
import type { List } from '../../api/hooks.ts';
import { EmptyState } from '../page/empty-state.tsx';
import { useNarrow } from '../page/narrow.ts';
import { Problem } from '../page/problem.tsx';
import { SelectBox, type Selection, SelectionContext } from '../selection/selection.tsx';
import type { Column } from '../view/column.ts';
import { sayFigure } from '../words.ts';
import classes from './data-table.module.css';
import { HeaderRow } from './data-table-header.tsx';
import { VirtualRows } from './data-table-rows.tsx';
import { isInUse } from './in-use.ts';
import { NewRows } from './new-rows.tsx';
import { useStill } from './use-still.ts';

export interface DataTableProps<R> {
  /** What the table holds, for screen readers: `Messages`. */
  label: string;
  list: List<R>;
  /** Best a constant outside the component: cells of the same row and columns are not drawn again. */
  columns: Column<R>[];
  /** Default: its `uuid`, `id` or `number`. */
  rowKey?(row: R): string;
  /** Where a row leads, as a link that can be opened in a tab and copied: `(row) => `/messages/${row.uuid}``. */
  href?(row: R): string | undefined;
  /** What a click or Enter on a row does where it leads nowhere. */
  onOpen?(row: R): void;
  /** Shown when there are no rows: an `EmptyState`. */
  empty?: ReactNode;
  /** The present ordering (`-created`) and how to change it; `useFilters` gives both. */
  ordering?: { value: string; set(value: string): void };
  /** Rows can be chosen, by a box in front of each or by Space. `useSelection` gives it. */
  selection?: Selection;
  /** What a row is called to a screen reader, beside its box. */
  rowName?(row: R): string;
  /** Pixels of a row. */
  rowHeight?: number;
  /** CSS; the table scrolls inside. Default: what remains of the window. */
  maxHeight?: string;
}

/**
 * A list of any length: only the rows in sight exist, and the next page is read as one comes near its end. Arrow keys, Home, End
 * and the page keys move, Enter opens. Rows hold still while somebody is at work with them; what is new waits behind a button. Shows
 * loading, errors and emptiness by itself.
 */
export function DataTable<R>(props: DataTableProps<R>) {
  const { label, list, columns, empty, ordering, maxHeight, rowKey = keyOf, rowName } = props;
  const narrow = useNarrow();
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const isChosen = (props.selection?.chosen.size ?? 0) > 0;
  const isWatched = useCallback(() => isChosen || (scroller !== null && isInUse(scroller)), [scroller, isChosen]);
  const still = useStill(list, rowKey as (row: R) => string, isWatched);
  // Whoever points elsewhere, and is at the top, sees what comes as it comes.
  const onPointerLeave = (): void => {
    if (still.waiting > 0 || still.moved || still.gone.size > 0)
      requestAnimationFrame(() => isWatched() || still.show());
  };
  const selects = props.selection !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: how rows are told apart and called does not change
  const shown = useMemo(() => {
    const important = columns.filter((column) => column.important);
    const some = narrow && important.length > 0 ? important : columns;
    return selects ? [selectColumn(rowKey as (row: R) => string, rowName), ...some] : some;
  }, [columns, narrow, selects]);
  const template = shown.map(({ width = 'minmax(8rem, 1fr)' }) => (narrow ? shareOf(width) : width)).join(' ');

  if (list.error) return <Card p={0}>{<Problem error={list.error} retry={list.retry} />}</Card>;
  if (!list.isLoading && list.rows.length === 0)
    return <Card p={0}>{empty ?? <EmptyState title={`No ${label.toLowerCase()} here.`} />}</Card>;
  return (
    <>
      <Card p={0}>
        <div
          ref={setScroller}
          className={classes['scroller']}
          onPointerLeave={onPointerLeave}
          style={{ maxHeight: maxHeight ?? 'max(22rem, calc(100dvh - 17rem))' }}
        >
          <div
            role="grid"
            aria-label={label}
            aria-multiselectable={selects || undefined}
            aria-rowcount={list.isLoading ? -1 : (list.count ?? -1) + 1}
            aria-busy={list.isLoading || list.isLoadingMore}
            tabIndex={-1}
            className={classes['grid']}
            style={{ '--columns': template } as CSSProperties}
          >
            <HeaderRow columns={shown} ordering={ordering} />
            <NewRows still={still} scroller={scroller} />
            <SelectionContext value={props.selection ?? nothingChosen}>
              <VirtualRows {...props} rowKey={rowKey} still={still} columns={shown} scroller={scroller} />
            </SelectionContext>
          </div>
        </div>
      </Card>
      <Text size="xs" c="dimmed" mt="xs" aria-live="polite">
        {list.isLoading ? 'Loading…' : countOf(list)}
      </Text>
    </>
  );
}

const selectColumn = <R,>(keyOf: (row: R) => string, nameOf?: (row: R) => string): Column<R> => ({
  title: 'Select',
  width: '3.5rem',
  render: (row) => <SelectBox row={keyOf(row)} name={nameOf?.(row) ?? keyOf(row)} />,
});

/** How rows are told apart where nothing else is said. */
export const keyOf = (row: unknown): string => {
  const { uuid, id, number } = row as Record<string, unknown>;
  return String(uuid ?? id ?? number);
};

const nothingChosen: Selection = { chosen: new Set(), toggle: () => undefined, choose: () => undefined };

/** On a phone nothing scrolls sideways: the columns share what there is, by the rems they would like. */
const shareOf = (width: string): string => `minmax(0, ${/[\d.]+(?=rem)/.exec(width)?.[0] ?? 8}fr)`;

function countOf({ rows, count, hasMore }: List<unknown>): string {
  const total = hasMore ? Math.max(count ?? 0, rows.length) : rows.length;
  return `${hasMore && total > 10_000 ? 'about ' : ''}${sayFigure(total)} ${total === 1 ? 'row' : 'rows'}`;
}
