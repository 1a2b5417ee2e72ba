import type { Icon } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import type { List } from '../../api/hooks.ts';
import { EmptyState } from '../page/empty-state.tsx';
import { useLeaving } from '../selection/hold-back.tsx';
import { useColumns } from '../view/use-columns.ts';
import { ViewButton } from '../view/view-button.tsx';
import { DataTable, type DataTableProps, keyOf } from './data-table.tsx';
import { type FilterState, Filters } from './filters.tsx';

export interface ListingProps<R, Name extends string> extends Omit<DataTableProps<R>, 'empty' | 'ordering'> {
  /** What a row is, within a sentence: `lead`. */
  one: string;
  filters?: FilterState<Name>;
  /** Filters of other kinds, beside the usual ones. */
  controls?: ReactNode;
  /** The filters lead to other lists, too: they are there even if this one is empty. */
  always?: boolean;
  /** What helps when nothing fits the filters. */
  unfit?: string;
  icon?: Icon;
  /** Said when there are none at all. Default: `No leads yet.` */
  none?: string;
  /** What to do about that. */
  hint?: ReactNode;
  /** A button that does it. */
  action?: ReactNode;
  /** Between the filters and the rows. */
  children?: ReactNode;
}

/** The body of a list page: filters, rows that open, and what to say and do when there are none. */
export function Listing<R, Name extends string>(props: ListingProps<R, Name>) {
  const { one, filters, controls, always, unfit, icon, none, hint, action, children, ...rest } = props;
  const list = useWithoutLeaving(rest.list, rest.rowKey);
  const columns = useColumns(rest.label, rest.columns);
  const table = { ...rest, list, columns: columns.shown };
  const look = icon && { icon };
  // With nothing to choose from, filters only stand in the way of what to do.
  const filterable = table.list.count !== 0 || filters?.active || always;
  return (
    <>
      {filters && filterable && (
        <Filters state={filters}>
          {controls}
          <ViewButton label={rest.label} list={rest.list} columns={columns} active={filters.active} />
        </Filters>
      )}
      {children}
      <DataTable
        {...(filters && { ordering: filters.ordering })}
        {...table}
        empty={
          filters?.active ? (
            <EmptyState {...look} title="Nothing matches these filters." hint={unfit} />
          ) : (
            <EmptyState {...look} title={none ?? `No ${one}s yet.`} hint={hint} action={action} />
          )
        }
      />
    </>
  );
}

/** Rows that were deleted a moment ago, which can still be undone, are not shown. */
function useWithoutLeaving<R>(list: List<R>, rowKey: (row: R) => string = keyOf): List<R> {
  const leaving = useLeaving();
  // biome-ignore lint/correctness/useExhaustiveDependencies: how rows are told apart does not change
  const rows = useMemo(
    () => (leaving.size === 0 ? list.rows : list.rows.filter((row) => !leaving.has(rowKey(row)))),
    [list.rows, leaving],
  );
  return rows === list.rows ? list : { ...list, rows };
}
