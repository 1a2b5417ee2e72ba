import { Skeleton } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type MouseEvent, memo, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Link, useLocation, useRouter } from 'wouter';
import type { Column } from '../view/column.ts';
import classes from './data-table.module.css';
import type { DataTableProps } from './data-table.tsx';
import { useScrollMemory } from './scroll-memory.ts';
import type { Still } from './use-still.ts';

interface RowsProps<R> extends DataTableProps<R> {
  scroller: HTMLDivElement | null;
  still: Still<R>;
  rowKey(row: R): string;
}

/** So many rows before the end of what is here, the next page is asked for: more of them by who has come far already. */
const ahead = (rows: number): number => Math.min(1000, rows * 0.4);

export function VirtualRows<R>(props: RowsProps<R>) {
  const { label, list, still, columns, href, onOpen, rowKey, rowHeight = 48, scroller, selection } = props;
  const { isLoading, hasMore, loadMore } = list;
  const { rows, gone } = still;
  const { base } = useRouter();
  const [, navigate] = useLocation();
  const [active, setActive] = useState(0);
  const body = useRef<HTMLDivElement>(null);
  const count = isLoading ? 8 : rows.length + (hasMore ? 1 : 0);
  const begin = useScrollMemory({
    label,
    scroller,
    rows,
    keyOf: rowKey,
    rowHeight,
    ready: !isLoading,
    hasMore,
    loadMore,
  });
  const virtual = useVirtualizer({
    count,
    initialOffset: begin,
    getScrollElement: () => scroller,
    estimateSize: () => rowHeight,
    overscan: 5,
    // The heading stays on top of the rows.
    scrollPaddingStart: rowHeight,
    // No `getItemKey`: one that knows the rows would be asked for each of them whenever the table is drawn.
  });
  const shown = virtual.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked when the end comes near, or when more has come
  useEffect(() => {
    if (!isLoading && hasMore && last >= rows.length - ahead(rows.length)) loadMore();
  }, [last, rows.length, hasMore, isLoading]);

  const open = (row: R, inTab: boolean): void => {
    if (gone.has(row)) return;
    const place = href?.(row);
    if (place === undefined) onOpen?.(row);
    else if (inTab) window.open(base + place, '_blank', 'noopener');
    else navigate(place);
  };
  const focus = (index: number): void => {
    const to = Math.max(0, Math.min(rows.length - 1, index));
    setActive(to);
    virtual.scrollToIndex(to);
    // The row may have to be made first.
    if (!focusRow(body.current, to)) requestAnimationFrame(() => focusRow(body.current, to));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // Keys pressed in a button of a cell are its own.
    if ((event.target as HTMLElement).role !== 'row') return;
    const page = Math.max(1, Math.floor((scroller?.clientHeight ?? 0) / rowHeight) - 2);
    const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
    const move = moves[event.key];
    if (move !== undefined) focus(active + move);
    else if (event.key === ' ' && selection && rows[active]) selection.toggle(rowKey(rows[active]));
    else if (event.key === 'Home') focus(0);
    else if (event.key === 'End') focus(rows.length - 1);
    else if (event.key === 'Enter' && rows[active]) open(rows[active], event.ctrlKey || event.metaKey);
    else return;
    event.preventDefault();
  };
  const onClick = (event: MouseEvent, row: R): void => {
    // Most of a row is its link. What stands above it has a click of its own, or is text with a title.
    const inner = (event.target as HTMLElement).closest('a, button, input, label');
    if (!inner && event.button < 2) open(row, event.button === 1 || event.ctrlKey || event.metaKey);
  };

  // Rows may have gone since the last key.
  const focusable = Math.min(active, rows.length - 1);
  return (
    <div
      role="rowgroup"
      ref={body}
      onKeyDown={onKeyDown}
      style={{ height: virtual.getTotalSize(), position: 'relative' }}
    >
      {shown.map(({ index, start }) => {
        const row = rows[index];
        const key = row ? rowKey(row) : index;
        const isGone = row !== undefined && gone.has(row);
        const place = row && !isGone ? href?.(row) : undefined;
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: Enter is heard by the group
          <div
            key={key}
            role="row"
            data-index={index}
            aria-rowindex={index + 2}
            aria-selected={selection && row ? selection.chosen.has(rowKey(row)) : undefined}
            tabIndex={index === focusable ? 0 : -1}
            className={classes['row']}
            data-opens={place !== undefined || (row && !isGone && onOpen && true) || undefined}
            data-gone={isGone || undefined}
            style={{
              height: rowHeight,
              position: 'absolute',
              inset: '0 0 auto 0',
              transform: `translateY(${start}px)`,
            }}
            onFocus={() => setActive(index)}
            onClick={(event) => row && onClick(event, row)}
            onAuxClick={(event) => row && onClick(event, row)}
          >
            <Cells row={row} columns={columns} href={place} />
          </div>
        );
      })}
    </div>
  );
}

function focusRow(body: HTMLElement | null, index: number): boolean {
  const row = body?.querySelector<HTMLElement>(`[data-index="${index}"]`);
  row?.focus({ preventScroll: true });
  return row != null;
}

/** Made once for a row, however often the table is drawn while it scrolls. */
const Cells = memo(function Cells<R>({ row, columns, href }: CellsProps<R>) {
  const id = useId();
  return columns.map((column, index) => {
    const content = row ? column.render(row) : <Skeleton h={14} w="70%" />;
    // The box in front of a row has a click of its own.
    const links = index === (columns[0]?.title === 'Select' ? 1 : 0) && href !== undefined;
    return (
      <div key={column.title} role="gridcell" className={classes['cell']} data-align={column.align}>
        {/* It lies over the whole row, so that a row can be opened in a tab, and its address copied. */}
        {links && <Link href={href} className={classes['link'] ?? ''} tabIndex={-1} aria-labelledby={id} />}
        {links ? <div id={id}>{content}</div> : content}
      </div>
    );
  });
}) as <R>(props: CellsProps<R>) => ReactNode;

interface CellsProps<R> {
  row: R | undefined;
  columns: Column<R>[];
  href: string | undefined;
}
