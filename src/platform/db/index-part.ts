/**
 * SQL texts of a part of an index: the rows whose first index columns have certain values, up to a moment in the next column.
 * Sorted by `order`, they are read as they stand in the index, from the first on, and no further than is asked for.
 */
export interface IndexPart {
  /**
   * The condition as bounds. With equations PostgreSQL may expect a single row, because it takes the columns for independent of
   * each other; it then reads and sorts the whole part, which may have a million rows. See decision 67.
   */
  bounds: string;
  /** The condition as equations, by which a distributed database finds the shard. */
  equations: string;
  order: string;
}

interface Part {
  columns: readonly string[];
  values: readonly string[];
  moment: string;
  /** An operator and a moment: `<= $3`. */
  until: readonly ['<' | '<=', string];
}

export function indexPart({ columns, values, moment, until: [operator, end] }: Part): IndexPart {
  const order = [...columns, moment].join(', ');
  const place = values.join(', ');
  return {
    bounds: `(${order}) >= (${place}, '-infinity'::timestamptz) and (${order}) ${operator} (${place}, ${end})`,
    equations: [...columns.map((column, index) => `${column} = ${values[index]}`), `${moment} ${operator} ${end}`].join(
      ' and ',
    ),
    order,
  };
}
