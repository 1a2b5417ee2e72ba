/**
 * SQL text of a recursive CTE of the distinct values of `columns` in the rows of a table that meet `condition`. It jumps from each
 * value to the next along an index that begins with these columns. So it costs as much as there are distinct values, however many
 * rows each has and however many rows do not meet the condition.
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
