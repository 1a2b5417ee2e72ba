import type { ReactNode } from 'react';

/** A column of a list. */
export interface Column<R> {
  title: string;
  /** What stands in the cell. */
  render(row: R): ReactNode;
  /** The same in a CSV file; without it the column is left out there. */
  csv?(row: R): string | number | null | undefined;
  /** A track of a CSS grid: `8rem`, `minmax(10rem, 2fr)`. Default `minmax(8rem, 1fr)`. */
  width?: string;
  align?: 'right';
  /** Shown on a phone, too. At least one column should be. */
  important?: boolean;
  /** The API's word for ordering by this column (`created`): the heading becomes a button. Needs `ordering`. */
  sort?: string;
}
