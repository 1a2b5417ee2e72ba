import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query';

interface Page {
  results: Record<string, unknown>[];
}
type Pages = InfiniteData<Page, string | undefined>;

const begins =
  (prefixes: string[]) =>
  ({ queryKey }: { queryKey: readonly unknown[] }): boolean =>
    prefixes.some((prefix) => String(queryKey[0]).startsWith(prefix));

/** Asks anew whatever was read from paths that begin so. */
export const invalidate = (client: QueryClient, prefixes: string[]): Promise<void> =>
  prefixes.length > 0 ? client.invalidateQueries({ predicate: begins(prefixes) }) : Promise.resolve();

/** More pages than these are not read again because one row changed. */
const fewPages = 3;
const isLong = (query: Query): boolean =>
  ((query.state.data as Partial<Pages> | undefined)?.pages?.length ?? 0) > fewPages;

/** As `invalidate`, but of a long list only the first page is read, and merged into what is there. */
export async function freshen(client: QueryClient, prefixes: string[]): Promise<void> {
  const found = client.getQueryCache().findAll({ predicate: begins(prefixes) });
  // Breaking off a page on its way would leave the end of the list without it: nobody asks for it again.
  await Promise.all(found.map((query) => query.promise?.catch(() => null)));
  await client.invalidateQueries(
    { predicate: (query) => begins(prefixes)(query) && !isLong(query) },
    { cancelRefetch: false },
  );
  await Promise.all(
    found.filter((query) => isLong(query) && query.isActive()).map((query) => freshenHead(client, query)),
  );
}

async function freshenHead(client: QueryClient, query: Query): Promise<void> {
  const { queryFn } = query.options;
  if (typeof queryFn !== 'function' || query.state.fetchStatus !== 'idle') return;
  const read = queryFn as (context: object) => Promise<Page>;
  const signal = new AbortController().signal;
  const head = await read({ client, queryKey: query.queryKey, signal, pageParam: undefined }).catch(() => null);
  if (head) client.setQueryData<Pages>(query.queryKey, (old) => old && mergeHead(old, head));
}

const idOf = (row: Record<string, unknown>): unknown => row['uuid'] ?? row['id'] ?? row['number'];

/** Known rows are replaced where they stand, new ones come first. */
export function mergeHead(old: Pages, head: Page): Pages {
  const fresh = new Map(head.results.map((row) => [idOf(row), row]));
  const pages = old.pages.map((page) => ({
    ...page,
    results: page.results.map((row) => {
      const newer = fresh.get(idOf(row));
      if (newer) fresh.delete(idOf(row));
      return newer ?? row;
    }),
  }));
  const { results: _, ...rest } = head;
  pages[0] = { ...pages[0]!, ...rest, results: [...fresh.values(), ...pages[0]!.results] };
  // Page one still ends where it ended.
  return {
    ...old,
    pages: [{ ...pages[0]!, next: (old.pages[0] as { next?: unknown }).next } as Page, ...pages.slice(1)],
  };
}
