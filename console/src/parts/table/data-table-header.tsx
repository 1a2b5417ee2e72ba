import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { Column } from '../view/column.ts';
import classes from './data-table.module.css';
import type { DataTableProps } from './data-table.tsx';

interface HeaderProps<R> {
  columns: Column<R>[];
  ordering: DataTableProps<R>['ordering'];
}

export const HeaderRow = <R,>({ columns, ordering }: HeaderProps<R>) => (
  <div role="rowgroup" className={classes['head']}>
    <div role="row" className={classes['row']} aria-rowindex={1}>
      {columns.map((column) => (
        <Heading key={column.title} column={column} ordering={ordering} />
      ))}
    </div>
  </div>
);

function Heading<R>({ column, ordering }: { column: Column<R>; ordering: HeaderProps<R>['ordering'] }) {
  const { sort, title, align } = column;
  const descending = ordering?.value === `-${sort}`;
  const active = sort !== undefined && (descending || ordering?.value === sort);
  // The newest first, but names from A.
  const next = active ? (descending ? sort : `-${sort}`) : sort === 'created' ? '-created' : (sort ?? '');
  const arrow = descending ? <IconArrowDown size={14} aria-hidden /> : <IconArrowUp size={14} aria-hidden />;
  return (
    <div
      role="columnheader"
      className={classes['heading']}
      data-align={align}
      {...(sort && ordering && { 'aria-sort': active ? (descending ? 'descending' : 'ascending') : 'none' })}
    >
      {sort && ordering ? (
        <UnstyledButton className={classes['sort']} onClick={() => ordering.set(next)}>
          {title}
          {active && arrow}
        </UnstyledButton>
      ) : (
        title
      )}
    </div>
  );
}
