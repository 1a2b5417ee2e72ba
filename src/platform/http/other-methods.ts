import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import type { Gate } from './access/gate.ts';
import type { Route } from './route.ts';

/** An address of the API, and what may be done there. */
interface Address {
  url: string;
  segments: string[];
  allowed: Set<string>;
  isPublic: boolean;
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Answers a known address with another method: 405 with the methods that are allowed. It asks for a token first, as every operation
 * does, and does not look at the body. These are not routes of their own, because that would slow the start, except where the
 * router would read the end of an address as an id.
 */
export function refuseOtherMethods<D>(app: FastifyInstance, routes: Route<D>[], gate: Gate): void {
  const addresses = addressesOf(routes);
  const gates = { public: gate('public'), any: gate('any') };

  const refuse = (address: Address, request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) =>
    gates[address.isPublic ? 'public' : 'any'](request, reply, (error) => done(error ?? notAllowed(request, address)));

  app.addHook('onRequest', (request, reply, done) => {
    const address = request.is404 ? findAddress(addresses, request) : undefined;
    if (address) refuse(address, request, reply, done);
    else done();
  });

  for (const [address, taken] of takenForOthers(addresses)) {
    app.route({
      method: taken,
      url: address.url,
      onRequest: (request, reply, done) => refuse(address, request, reply, done),
      handler: () => {},
    });
  }
}

const notAllowed = ({ method }: FastifyRequest, { allowed }: Address): ApiError =>
  new ApiError('method_not_allowed', {
    detail: `Method "${method}" not allowed.`,
    headers: { allow: [...allowed].join(', ') },
  });

/** The addresses by their number of segments. Fixed ones come before those with an id in the same place, as in the router. */
function addressesOf<D>(routes: Route<D>[]): Map<number, Address[]> {
  const addresses = [...Map.groupBy(routes, ({ url }) => url)].map(([url, known]): Address => {
    const allowed = new Set<string>(known.map(({ method }) => method));
    if (allowed.has('GET')) allowed.add('HEAD');
    return { url, segments: segmentsOf(url), allowed, isPublic: known.every(({ scope }) => scope === 'public') };
  });
  addresses.sort((a, b) => (shapeOf(a) < shapeOf(b) ? -1 : 1));
  return Map.groupBy(addresses, ({ segments }) => segments.length);
}

const shapeOf = ({ segments }: Address): string =>
  segments.map((segment) => (isParameter(segment) ? 'parameter' : 'fixed')).join();

/** One that does not allow the method. An id that is too long for the router is not found, although the method is allowed there. */
function findAddress(addresses: Map<number, Address[]>, { method, url }: FastifyRequest): Address | undefined {
  if (!methods.includes(method)) return undefined;
  const segments = segmentsOf(decoded(url.split('?', 1)[0]!));
  const address = addresses.get(segments.length)?.find((address) => fits(address.segments, segments));
  return address?.allowed.has(method) ? undefined : address;
}

/** Addresses that also fit another one with an id in it, with the methods of that. */
function* takenForOthers(addresses: Map<number, Address[]>): Generator<[Address, string[]]> {
  for (const alike of addresses.values()) {
    const general = alike.filter(({ segments }) => segments.some(isParameter));
    for (const address of alike) {
      const others = general.filter((other) => other !== address && fits(other.segments, address.segments));
      const taken = new Set(others.flatMap(({ allowed }) => [...allowed])).difference(address.allowed);
      taken.delete('HEAD');
      if (taken.size > 0) yield [address, [...taken]];
    }
  }
}

const segmentsOf = (path: string): string[] => path.replace(/^\/|\/$/g, '').split('/');

const isParameter = (segment: string): boolean => segment.startsWith(':');

const fits = (pattern: string[], segments: string[]): boolean =>
  pattern.every((part, index) => part === segments[index] || (isParameter(part) && segments[index] !== ''));

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
