/**
 * SQL texts of a part of an index: the rows in which all of its first columns have certain values, up to a moment in the next one.
 * Sorted by `order`, they are read as they stand in the index, from the first on, and no further than is asked for.
 */
export interface IndexPart {
  /**
   * The condition, by the bounds of the part. For equations PostgreSQL may expect a single row, as it takes the columns for independent
   * of each other, and then reads all of a part that has a million rows, and sorts it: see decision 67.
   */
  bounds: string;
  /** The same by equations, which are what a distributed database finds the shard by. */
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
