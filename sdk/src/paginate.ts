import type { JsonClient } from './call.ts';
import { errorOf } from './error.ts';
import { Listing, type PageLike } from './listing.ts';
import type { paths } from './schema.d.ts';

/** What the GET of a path answers as JSON. */
type JsonOf<Path extends keyof paths> = paths[Path]['get'] extends {
  responses: { 200: { content: { 'application/json': infer Json } } };
}
  ? Json
  : never;

/** The paths whose GET answers a page of a list. */
type ListPath = { [Path in keyof paths]: JsonOf<Path> extends PageLike ? Path : never }[keyof paths];

type PageOf<Path extends ListPath> = Extract<JsonOf<Path>, PageLike>;
type ParametersOf<Path extends ListPath> = Omit<
  NonNullable<paths[Path]['get']> extends { parameters: infer Parameters } ? Parameters : never,
  'header' | 'cookie'
>;

/** Without the types by path, which cannot be told for a path that is not known yet. */
type Get = (path: string, init: { params: object }) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

/** The list at a path: `for await (const message of paginate(parley, '/v2/chatapp/messages/', { query }))`. */
export function paginate<Path extends ListPath>(
  client: Pick<JsonClient, 'GET'>,
  path: Path,
  ...[params]: Record<never, never> extends ParametersOf<Path>
    ? [params?: ParametersOf<Path>]
    : [params: ParametersOf<Path>]
): Listing<PageOf<Path>> {
  const { query, ...more }: { query?: object } = params ?? {};
  return new Listing(async (position) => {
    const { data, error, response } = await (client.GET as unknown as Get)(path, {
      params: { ...more, query: { ...query, ...position } },
    });
    if (!response.ok) throw errorOf(response, error);
    return data as PageOf<Path>;
  });
}
