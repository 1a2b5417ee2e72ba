/** A page of a list, as the API answers it. */
export interface PageLike {
  next: string | null;
  results: unknown[];
}

type ItemOf<Page extends PageLike> = Page['results'][number];

/** Gets the first page, or the one at a cursor. */
type FetchPage<Page> = (position: { cursor?: string }) => Promise<Page>;

/**
 * A list. Awaited, it is its first page; iterated over, it is all its items, page after page as they are needed. Nothing is
 * requested before one of the two begins.
 */
export class Listing<Page extends PageLike> implements PromiseLike<Page>, AsyncIterable<ItemOf<Page>> {
  readonly #fetchPage: FetchPage<Page>;

  constructor(fetchPage: FetchPage<Page>) {
    this.#fetchPage = fetchPage;
  }

  // biome-ignore lint/suspicious/noThenProperty: being awaited is what it is for
  then<A = Page, B = never>(
    onPage?: ((page: Page) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#fetchPage({}).then(onPage, onError);
  }

  async *pages(): AsyncGenerator<Page, void, undefined> {
    let page = await this.#fetchPage({});
    yield page;
    for (let cursor = cursorOf(page); cursor !== undefined; cursor = cursorOf(page)) {
      page = await this.#fetchPage({ cursor });
      yield page;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ItemOf<Page>, void, undefined> {
    // The compiler cannot see that items are no promises.
    for await (const page of this.pages()) yield* page.results as Awaited<ItemOf<Page>>[];
  }
}

/** `next` is the address of the next page; only its cursor is taken, since behind a proxy we may know the server by another. */
function cursorOf({ next }: PageLike): string | undefined {
  if (next === null) return undefined;
  return new URL(next, 'http://localhost').searchParams.get('cursor') ?? undefined;
}
