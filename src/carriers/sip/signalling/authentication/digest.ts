// Digest authentication (RFC 3261 22, RFC 7616 and 8760): MD5 because carriers have it, SHA-256 because it is better.
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { splitOutside, unquote } from '../message/fields.ts';
import type { SipRequest, SipResponse } from '../message/message.ts';
import { Malformed } from '../message/uri.ts';

export interface Credentials {
  username: string;
  password: string;
  /** Who may ask for them: anybody else could try passwords against an answer at leisure. */
  addresses: readonly string[];
}

type Fields = Map<string, string>;

const algorithms: Readonly<Record<string, 'md5' | 'sha256'>> = { MD5: 'md5', 'SHA-256': 'sha256' };

/** `Digest a="b", c=d`; undefined: another scheme. */
function parseDigest(text: string): Fields | undefined {
  const match = /^\s*Digest\s+/i.exec(text);
  if (!match) return undefined;
  return new Map(
    splitOutside(text.slice(match[0].length), ',').flatMap((part) => {
      const equals = part.indexOf('=');
      return equals < 0 ? [] : [[part.slice(0, equals).trim().toLowerCase(), unquote(part.slice(equals + 1).trim())]];
    }),
  );
}

interface Proof {
  username: string;
  password: string;
  realm: string;
  nonce: string;
  algorithm: string;
  method: string;
  uri: string;
  qop?: { cnonce: string; nc: string };
}

function proofOf({ username, password, realm, nonce, algorithm, method, uri, qop }: Proof): string {
  const digest = (text: string): string => hash(algorithms[algorithm]!, text, 'hex');
  const secret = digest(`${username}:${realm}:${password}`);
  const asked = digest(`${method}:${uri}`);
  return digest(qop ? `${secret}:${nonce}:${qop.nc}:${qop.cnonce}:auth:${asked}` : `${secret}:${nonce}:${asked}`);
}

/** The header that answers a challenge; undefined where we cannot answer any that were given. */
export function authorise(
  response: SipResponse,
  { method, uri }: Pick<SipRequest, 'method' | 'uri'>,
  { username, password }: Pick<Credentials, 'username' | 'password'>,
  nc = 1,
): { name: string; value: string; isStale: boolean } | undefined {
  const isProxy = response.status === 407;
  const challenges = (response.headers.get(isProxy ? 'proxy-authenticate' : 'www-authenticate') ?? []).flatMap(
    (line) => parseDigest(line) ?? [],
  );
  const usable = challenges.filter((fields) => algorithms[algorithmOf(fields)] && canQop(fields));
  const best = usable.find((fields) => algorithmOf(fields) !== 'MD5') ?? usable[0];
  if (!best) return undefined;
  const [realm, nonce, algorithm] = [best.get('realm') ?? '', best.get('nonce') ?? '', algorithmOf(best)];
  const qop = best.has('qop') ? { cnonce: randomBytes(8).toString('hex'), nc: nc.toString(16).padStart(8, '0') } : null;
  const proof = proofOf({ username, password, realm, nonce, algorithm, method, uri, ...(qop && { qop }) });
  const opaque = best.get('opaque');
  const parts = [
    `username=${quoted(username)}`,
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(uri)}`,
    `response="${proof}"`,
    `algorithm=${algorithm}`,
    ...(qop ? ['qop=auth', `nc=${qop.nc}`, `cnonce="${qop.cnonce}"`] : []),
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
  ];
  return {
    name: isProxy ? 'proxy-authorization' : 'authorization',
    value: `Digest ${parts.join(', ')}`,
    isStale: best.get('stale')?.toLowerCase() === 'true',
  };
}

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;
const algorithmOf = (fields: Fields): string => (fields.get('algorithm') ?? 'MD5').toUpperCase();
const canQop = (fields: Fields): boolean =>
  !fields.has('qop') ||
  fields
    .get('qop')!
    .toLowerCase()
    .split(/\s*,\s*/)
    .includes('auth');

const nonceMs = 5 * 60_000;
/** Nonces of each map below: more calls than one process carries in that time. */
const mostSeen = 100_000;

export interface Challenger {
  /** Lines of WWW-Authenticate, the better algorithm first, for whoever is at that address. */
  challenge(source: string, isStale: boolean): string[];
  /**
   * Which of those who go by this name it is: names are the tenants' own, and two may have chosen the same. `stale`: right,
   * but its count was seen before; or whatever it is, the nonce is too old, or was another's: passwords are compared only for
   * those who got the challenge. `mayTry` is asked before that, and what it says instead of `allowed` is the answer.
   */
  check<User extends { password: string }, Why extends string = never>(
    request: SipRequest,
    source: string,
    find: (username: string) => readonly User[],
    mayTry?: (username: string) => 'allowed' | Why,
  ): 'none' | 'wrong' | 'stale' | Why | { user: User; username: string };
}

/** Checks those who want to be let in. A nonce tells its own age, so that nothing is stored for strangers. */
export function makeChallenger(realm: string, nowMs: () => number): Challenger {
  const key = randomBytes(32);
  /** The counts seen under nonces that were proved with; others leave no trace. */
  let seen = new Map<string, number>();
  let before = new Map<string, number>();
  let turnedMs = nowMs();

  const sign = (time: string): string => createHmac('sha256', key).update(time).digest('hex').slice(0, 32);
  function ageMs(nonce: string, source: string): number {
    const [time = '', random = '', mark = ''] = nonce.split('.');
    const expected = Buffer.from(sign(`${time}.${random} ${source}`));
    if (!isEqual(Buffer.from(mark), expected)) return Number.POSITIVE_INFINITY;
    return nowMs() - Number.parseInt(time, 36);
  }

  /** Two maps, of which the older is dropped when no nonce in it can be good any more. */
  function isRepeated(nonce: string, nc: number): boolean {
    if (nowMs() - turnedMs > nonceMs || seen.size >= mostSeen) {
      [before, seen, turnedMs] = [seen, new Map(), nowMs()];
    }
    const last = seen.get(nonce) ?? before.get(nonce) ?? 0;
    if (nc <= last) return true;
    seen.set(nonce, nc);
    return false;
  }

  return {
    challenge(source, isStale) {
      const time = `${Math.floor(nowMs()).toString(36)}.${randomBytes(6).toString('hex')}`;
      const nonce = `${time}.${sign(`${time} ${source}`)}`;
      const stale = isStale ? ', stale=true' : '';
      return Object.keys(algorithms)
        .toReversed()
        .map((name) => `Digest realm="${realm}", nonce="${nonce}", algorithm=${name}, qop="auth"${stale}`);
    },
    check(request, source, find, mayTry) {
      const fields = readAuthorisation(request);
      if (!fields) return 'none';
      const [username = '', nonce = '', uri = '', nc = '', cnonce = ''] = [
        'username',
        'nonce',
        'uri',
        'nc',
        'cnonce',
      ].map((name) => fields.get(name));
      const algorithm = algorithmOf(fields);
      const isSound = fields.get('qop') === 'auth' && fields.get('realm') === realm && /^[0-9a-f]{8}$/i.test(nc);
      if (!algorithms[algorithm] || !isSound || uri !== request.uri) return 'wrong';
      if (ageMs(nonce, source) > nonceMs) return 'stale';
      const verdict = mayTry?.(username) ?? 'allowed';
      if (verdict !== 'allowed') return verdict;
      const asked = { username, realm, nonce, algorithm, method: request.method, uri, qop: { cnonce, nc } };
      const given = Buffer.from(fields.get('response') ?? '');
      const user = find(username).find(({ password }) => isEqual(given, Buffer.from(proofOf({ ...asked, password }))));
      if (!user) return 'wrong';
      return isRepeated(nonce, Number.parseInt(nc, 16)) ? 'stale' : { user, username };
    },
  };
}

const isEqual = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other);

function readAuthorisation(request: SipRequest): Fields | undefined {
  try {
    return request.headers.get('authorization')?.map(parseDigest).find(Boolean);
  } catch (error) {
    if (error instanceof Malformed) return new Map();
    throw error;
  }
}
