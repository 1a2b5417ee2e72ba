// Tokens that are bound to some phone numbers: those of chat-app accounts, or numbers that were bought. They may use only operations that say
// how a request is checked (`bound`); the gate refuses them everywhere else, so an operation that nobody thought of is closed to them.
import { ApiError, notFound } from '../../errors.ts';
import { isPhone, phoneDigits, readPhone } from '../../phone.ts';
import type { Call, Principal, Route } from '../route.ts';

/** How a request with a bound token is checked; `{}`: the operation concerns no number. */
export interface Bound<P, Q, B> {
  /** The numbers that the request names, all of which must be the token's. */
  numbers?(call: { params: P; query: Q; body: B }): readonly unknown[];
  /** The GET of the object that the address names, and the number in its answer that decides. */
  object?: { url: string; number(body: never): string };
}

// biome-ignore lint/suspicious/noExplicitAny: of any operation
type AnyCall<D> = Call<D, any, any, any>;

/**
 * The check of an operation that bound tokens may use. An object of another number is not found, as an object of another account is
 * not.
 */
export function boundCheck<D>({ url, bound }: Route<D>, all: readonly Route<D>[]) {
  if (!bound) return undefined;
  const { numbers, object } = bound;
  const get = object && all.find((one) => one.method === 'GET' && one.url === object.url);
  if (object && !get) throw new Error(`${url} is bound to the object at ${object.url}, which nothing answers`);
  const refusal = () => (url.includes(':') ? notFound() : new ApiError('resource_not_allowed'));
  return async (call: AnyCall<D>): Promise<void> => {
    const { principal } = call;
    const named = numbers?.(call) ?? [];
    if (!named.every((number) => isOwn(principal, number))) throw refusal();
    if (!object || !get) return;
    const { body } = await get.handler({ ...call, query: {}, body: undefined });
    if (!isOwn(principal, object.number(body as never))) throw refusal();
  };
}

/**
 * Whether a number is one of the token's. Sender names never match. Neither does a number that could be read in two ways, with the
 * account's country and without it: requests have to give the country.
 */
const isOwn = ({ resources, country }: Principal, number: unknown): boolean =>
  typeof number === 'string' &&
  isPhone(number, country) &&
  [readPhone(number, country), phoneDigits(number)].every((digits) => resources?.has(digits));
