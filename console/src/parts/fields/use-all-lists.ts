import { useEffect } from 'react';
import { type Schema, useList } from '../../api/index.ts';

/** Every list of the account, for choosing among them: they are few, so all pages are read. */
export function useAllLists(enabled = true): Schema<'ContactList'>[] {
  const list = useList('/v2/lists/', {}, { pageSize: 200, enabled });
  const { hasMore, isLoadingMore, loadMore } = list;
  // biome-ignore lint/correctness/useExhaustiveDependencies: loadMore is made anew each time
  useEffect(() => {
    if (hasMore && !isLoadingMore) loadMore();
  }, [hasMore, isLoadingMore]);
  return list.rows;
}
