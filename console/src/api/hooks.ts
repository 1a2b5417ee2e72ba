import {
  hashKey,
  type InfiniteData,
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useMemo } from 'react';
import { freshSinceArrival } from './arrival.ts';
import { type CallOptions, call } from './client.ts';
import { shareWithEtag } from './etags.ts';
import { mayCall } from './may.ts';
import { notifications } from './notifications.ts';
import { type ApiProblem, sayProblem } from './problem.ts';
import { invalidate } from './refresh.ts';
import type { Answer, ListPath, Method, Params, PathsWith, Query, Row } from './types.ts';

export interface ListPage<R> {
  count: number;
  next: string | null;
  results: R[];
}

/** A list as the parts take it: rows so far, and how to get more. */
export interface List<R> {
  /** What was asked for: another filter or ordering is another list. */
  id?: string;
  rows: R[];
  /** How many there are on the server; exact up to 10,000. `undefined` until it is known. */
  count: number | undefined;
  isLoading: boolean;
  error: ApiProblem | null;
  hasMore: boolean;
  isLoadingMore: boolean;
  loadMore(): void;
  retry(): void;
  /** All rows, page by page, up to so many; whether these are all. */
  readAll?(most: number): Promise<{ rows: R[]; isWhole: boolean }>;
}

/** What the API gives at once. */
const largestPage = 200;

const cursorOf = (next: string | null): string | undefined =>
  next ? (new URL(next, document.baseURI).searchParams.get('cursor') ?? undefined) : undefined;

/**
 * The rows of a list, page by page; every filter of the API goes into `query`. Query keys begin with the path.
 * `const messages = useList('/v2/chatapp/messages/', { status: 'FAILED' })`
 */
export function useList<P extends ListPath & PathsWith<'get'>>(
  path: P,
  query?: Query<P>,
  options: { params?: Params<P>; enabled?: boolean; pageSize?: number } = {},
): List<Row<P>> {
  const { params, enabled = true, pageSize = 100 } = options;
  const queryKey = [path, params ?? {}, query ?? {}, 'list', pageSize];
  const result = useInfiniteQuery(
    infiniteQueryOptions({
      queryKey,
      queryFn: ({ pageParam, signal }) => {
        // The first page is waited for; those behind it are read ahead, for somebody who scrolls fast.
        const paged = {
          ...query,
          ...(pageParam ? { page_size: largestPage, cursor: pageParam } : { page_size: pageSize }),
        };
        return call('get', path, { params, query: paged, signal } as never) as Promise<unknown> as Promise<
          ListPage<Row<P>>
        >;
      },
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (last: ListPage<Row<P>>) => cursorOf(last.next),
      // Comparing a hundred thousand rows with themselves for each page that comes would be felt.
      structuralSharing: false,
      staleTime: freshSinceArrival,
      enabled,
    }),
  );
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = result;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.results) ?? [], [data]);
  return {
    id: hashKey(queryKey),
    rows,
    count: (data as InfiniteData<ListPage<Row<P>>> | undefined)?.pages[0]?.count,
    isLoading: isPending && enabled,
    error: data ? null : (error as ApiProblem | null),
    hasMore: hasNextPage,
    isLoadingMore: isFetchingNextPage,
    loadMore: () => void (hasNextPage && !isFetchingNextPage && fetchNextPage()),
    retry: () => void refetch(),
    readAll: (most) =>
      readPages((paged) => call('get', path, { params, query: { ...query, ...paged } } as never), most),
  };
}

async function readPages<R>(
  read: (paged: object) => Promise<unknown>,
  most: number,
): Promise<{ rows: R[]; isWhole: boolean }> {
  const rows: R[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = (await read({ page_size: largestPage, ...(cursor && { cursor }) })) as ListPage<R>;
    rows.push(...page.results);
    cursor = cursorOf(page.next);
    if (!cursor || rows.length >= most) return { rows: rows.slice(0, most), isWhole: !cursor };
  }
}

/** What `useOne` and `useQueries` take, for whoever needs the query itself. */
export const oneOf = <P extends PathsWith<'get'>>(path: P, params?: Params<P>, query?: Query<P>) =>
  queryOptions<Answer<P, 'get'>, ApiProblem>({
    queryKey: [path, params ?? {}, query ?? {}],
    queryFn: ({ signal }) => call('get', path, { params, query, signal } as CallOptions<P, 'get'>),
    structuralSharing: shareWithEtag,
  });

/**
 * One object: `const intro = useOne('/v2/chatapp/chat-intros/{uuid}/', { uuid })` → `intro.data`, `intro.error`, `intro.isPending`.
 * `Loaded` of the parts shows all three.
 */
export function useOne<P extends PathsWith<'get'>>(
  path: P,
  params?: Params<P>,
  query?: Query<P>,
  options: {
    enabled?: boolean;
    refetchInterval?: number | ((data: Answer<P, 'get'> | undefined) => number | false);
  } = {},
) {
  const { refetchInterval: every, ...others } = options;
  const refetchInterval =
    typeof every === 'function'
      ? (asked: { state: { data: Answer<P, 'get'> | undefined } }) => every(asked.state.data)
      : every;
  return useQuery({
    ...oneOf(path, params, query),
    ...others,
    ...(refetchInterval !== undefined && { refetchInterval }),
  });
}

export interface ActOptions<T> {
  /** Paths whose queries are asked anew; a path stands for all that begin with it. */
  invalidates?: string[];
  /** A notification when it has worked. */
  done?: string;
  /** The form shows the error itself: no notification. */
  quiet?: boolean;
  onDone?(answer: T): void;
}

/**
 * A change: `const pause = useAct('post', '/v2/campaigns/{uuid}/pause/', { invalidates: ['/v2/campaigns/'], done: 'Paused.' })`,
 * then `pause.mutate({ params: { uuid } })` and `pause.isPending`. An error is shown as a notification unless `quiet`. Whoever may not
 * do it (`pause.may`) is not shown the button.
 */
export function useAct<M extends Exclude<Method, 'get'>, P extends PathsWith<M>>(
  method: M,
  path: P,
  options: ActOptions<Answer<P, M>> = {},
) {
  const client = useQueryClient();
  const mutation = useMutation<Answer<P, M>, ApiProblem, CallOptions<P, M> | undefined>({
    mutationFn: (request) => call(method, path, request),
    onSuccess: async (answer) => {
      if (options.done) notifications.show({ message: options.done });
      options.onDone?.(answer);
      // Who went to another page must have left before: what was deleted would be asked for once more.
      await new Promise((resolve) => setTimeout(resolve));
      await invalidate(client, options.invalidates ?? []);
    },
    onError: (error) => {
      if (!options.quiet) notifications.show({ color: 'red', title: 'Request failed', message: sayProblem(error) });
    },
  });
  return { ...mutation, may: mayCall(method, path) };
}
