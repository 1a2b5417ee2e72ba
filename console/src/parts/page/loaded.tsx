import { Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiProblem } from '../../api/problem.ts';
import { NotFound } from './not-found.tsx';
import { Problem } from './problem.tsx';

interface Query<T> {
  data: T | undefined;
  error: unknown;
  refetch(): unknown;
}

/**
 * Shows an object that `useOne` reads: a skeleton while it comes, the error if it does not, `children(data)` when it is there.
 * `<Loaded query={intro} what="intro">{(intro) => <Page title={intro.uuid}>…</Page>}</Loaded>`
 */
export function Loaded<T>({ query, what, children }: { query: Query<T>; what?: string; children(data: T): ReactNode }) {
  if (query.data !== undefined) return children(query.data);
  if (query.error instanceof ApiProblem && query.error.status === 404) return <NotFound what={what ?? 'object'} />;
  if (query.error) return <Problem error={query.error} retry={() => void query.refetch()} />;
  return (
    <Stack aria-busy="true">
      <Skeleton h={36} w={260} />
      <Skeleton h={220} />
    </Stack>
  );
}
