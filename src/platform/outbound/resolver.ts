import { type LookupAddress, lookup } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { makeTurns, NoTurn, type Turns } from '../work/turns.ts';

/** All addresses of a name, IPv4 before IPv6. */
export type Resolve = (name: string) => Promise<LookupAddress[]>;

export interface ResolveOptions {
  /** Name servers as `address:port`; those of the system unless given. */
  servers?: string[];
  /** For one name, over all name servers and tries. */
  timeoutMs?: number;
  hostsFile?: string;
  resolverFile?: string;
  /** The system's own function; it is asked unless `servers` are given. */
  askSystem?: Resolve;
  /** To ask it: it occupies a thread until it has an answer, whoever still waits for it. One thread of four, never more. */
  takeTurns?: Turns;
}

const usualTimeoutMs = 5_000;
/** Once one kind of address is known, the other is waited for no longer than this. */
const otherKindMs = 1_000;
const mostSearched = 6;
const systemLookup = promisify(lookup);

/**
 * Looks up names that tenants gave us. The system's own function, getaddrinfo, blocks one of the four threads that files,
 * hashing and compression need, too, for as long as a name server pleases, and some name servers are the tenants'. So names
 * are asked for over sockets of our own, with a deadline. The hosts file and search domains count as usual.
 */
export function makeResolve(options: ResolveOptions = {}): Resolve {
  const { servers, timeoutMs = usualTimeoutMs } = options;
  const { hostsFile = '/etc/hosts', resolverFile = '/etc/resolv.conf' } = options;
  const { askSystem = servers ? undefined : (name) => systemLookup(name, { all: true }) } = options;
  const { takeTurns = makeTurns({ atOnce: 1, mostWaiting: 100, waitMs: usualTimeoutMs }) } = options;

  return async (given) => {
    const name = given.toLowerCase().replace(/\.$/, '');
    const known = addressesIn(await readOr(hostsFile), name);
    if (known.length > 0) return known;
    // RFC 6761: these are this machine, and no name server is asked.
    if (name === 'localhost' || name.endsWith('.localhost')) return loopback;
    const searched = given.endsWith('.')
      ? []
      : searchDomains(await readOr(resolverFile)).map((domain) => `${name}.${domain}`);
    const candidates = name.includes('.') ? [name, ...searched] : [...searched, name];
    const untilMs = performance.now() + timeoutMs;
    const found = await findFirst(candidates, servers, untilMs);
    if (found.length > 0) return found;
    // Names of the local network (mDNS and the like), which only the system knows: no server of a tenant is asked for them.
    if (askSystem && (!name.includes('.') || name.endsWith('.local')))
      return findLocal(name, untilMs, { askSystem, takeTurns });
    throw problem(`${given} has no address.`, 'ENOTFOUND');
  };

  async function findFirst(names: string[], servers: string[] | undefined, untilMs: number): Promise<LookupAddress[]> {
    for (const name of names) {
      const found = await findAddresses(name, servers, untilMs - performance.now());
      if (found.length > 0) return found;
    }
    return [];
  }
}

/** At most one such name at a time, and nobody waits beyond the deadline for those before it. */
async function findLocal(
  name: string,
  untilMs: number,
  { askSystem, takeTurns }: { askSystem: Resolve; takeTurns: Turns },
): Promise<LookupAddress[]> {
  const late = problem(`${name} could not be looked up in time.`, 'ETIMEOUT');
  const giveUp = new AbortController();
  const deadline = sleep(Math.max(untilMs - performance.now(), 0), undefined, giveUp).then(
    () => Promise.reject(late),
    () => [],
  );
  const asked = takeTurns({ key: name, most: 1 }, () => askSystem(name)).catch((error) => {
    throw error instanceof NoTurn ? late : error;
  });
  try {
    return await Promise.race([asked, deadline]);
  } finally {
    giveUp.abort();
    asked.catch(() => {});
  }
}

const loopback: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

const problem = (message: string, code: string): Error => Object.assign(new Error(message), { code });

/** No such name, or none with an address: an answer, if not the one that was hoped for. */
const isNone = (code: string): boolean => ['ENOTFOUND', 'ENODATA', 'EBADNAME'].includes(code);

async function findAddresses(name: string, servers: string[] | undefined, timeoutMs: number): Promise<LookupAddress[]> {
  // One for each name: only so can one be given up, and changes of the system's settings are seen.
  const resolver = new Resolver({ timeout: Math.max(Math.ceil(timeoutMs / 2), 1), tries: 2 });
  if (servers) resolver.setServers(servers);
  const failures: string[] = [];
  let timer = setTimeout(() => resolver.cancel(), Math.max(timeoutMs, 0));
  const ask = async (family: 4 | 6): Promise<LookupAddress[]> => {
    try {
      const found = await (family === 4 ? resolver.resolve4(name) : resolver.resolve6(name));
      clearTimeout(timer);
      timer = setTimeout(() => resolver.cancel(), Math.min(otherKindMs, Math.max(timeoutMs, 0)));
      return found.map((address) => ({ address, family }));
    } catch (error) {
      failures.push((error as NodeJS.ErrnoException).code ?? '');
      return [];
    }
  };
  try {
    const found = (await Promise.all([ask(4), ask(6)])).flat();
    const failure = failures.find((code) => !isNone(code));
    if (found.length > 0 || failure === undefined) return found;
    if (failure === 'ECANCELLED' || failure === 'ETIMEOUT') {
      throw problem(`${name} could not be looked up in time.`, 'ETIMEOUT');
    }
    throw problem(`${name} could not be looked up (${failure}).`, failure);
  } finally {
    clearTimeout(timer);
  }
}

const readOr = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');

/** hosts(5): an address and its names, by lines. */
export function addressesIn(hosts: string, name: string): LookupAddress[] {
  const found = hosts.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    return isIP(address) !== 0 && names.includes(name) ? [{ address, family: isIP(address) }] : [];
  });
  return found.toSorted((one, other) => one.family - other.family);
}

/** resolv.conf(5): the last line with domains counts. */
export function searchDomains(settings: string): string[] {
  const lines = settings.split('\n').flatMap((line) => /^\s*(?:search|domain)\s+(.*)$/.exec(line)?.[1] ?? []);
  const domains = (lines.at(-1) ?? '').split(/\s+/).map((domain) => domain.toLowerCase().replace(/\.$/, ''));
  return domains.filter((domain) => domain !== '').slice(0, mostSearched);
}
