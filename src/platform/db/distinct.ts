/**
 * SQL text of a recursive CTE of the distinct values of `columns` in the rows of a table that meet `condition`. It goes from each
 * value to the next along an index that begins with these columns: it costs as much as there are values, however many rows have
 * each, and however many values of the same kind there are elsewhere.
 */
export function distinctText(name: string, { table, columns, condition }: Distinct): string {
  const list = columns.join(', ');
  const last = columns.map((column) => `${name}.${column}`).join(', ');
  const first = (more: string) => `select ${list} from ${table} where ${condition}${more} order by ${list} limit 1`;
  return `${name} as (
    (${first('')})
    union all
    select next.* from ${name} cross join lateral (${first(` and (${list}) > (${last})`)}) as next
  )`;
}

interface Distinct {
  table: string;
  columns: readonly string[];
  condition: string;
}
