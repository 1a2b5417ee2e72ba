// Session descriptions (RFC 8866), as much of them as telephony has.
import { isIP } from 'node:net';
import { isSuite, type Suite, saltOctets, suites } from '../../media/srtp/suites.ts';
import { Malformed } from '../message/uri.ts';

export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

export interface Stream {
  kind: string;
  port: number;
  protocol: string;
  formats: string[];
  /** '' where neither the stream nor the session says. */
  address: string;
  direction: Direction;
  /** What formats stand for, in upper case: `PCMU/8000`. */
  names: Map<string, string>;
  /** Keys that are offered for SRTP (RFC 4568), those alone that we can use. */
  crypto: Crypto[];
}

export interface Crypto {
  tag: string;
  suite: Suite;
  /** Master key and salt, in Base64. */
  key: string;
}

export interface Description {
  streams: Stream[];
}

const mostStreams = 16;
const mostCrypto = 16;
/** RFC 3551: these need no `rtpmap`. */
const fixedNames: Readonly<Record<string, string>> = { 0: 'PCMU/8000', 8: 'PCMA/8000' };
const directions: readonly string[] = ['sendrecv', 'sendonly', 'recvonly', 'inactive'];

export function parseSdp(text: string): Description {
  if (!/^v=0\s*(\r?\n|$)/.test(text)) throw new Malformed('A session description does not begin with its version.');
  const streams: Stream[] = [];
  let address = '';
  let direction: Direction = 'sendrecv';
  for (const line of text.split(/\r?\n/)) {
    const [kind, value] = [line.slice(0, 2), line.slice(2).trim()];
    const stream = streams.at(-1);
    if (kind === 'm=') {
      streams.push(parseStream(value, address, direction));
      if (streams.length > mostStreams) throw new Malformed('A session description has too many streams.');
    } else if (kind === 'c=') {
      const found = parseConnection(value);
      if (stream) stream.address = found;
      else address = found;
    } else if (kind === 'a=') {
      if (directions.includes(value)) {
        if (stream) stream.direction = value as Direction;
        else direction = value as Direction;
      } else if (/^crypto:/i.test(value)) {
        const crypto = parseCrypto(value);
        if (stream && crypto && stream.crypto.length < mostCrypto) stream.crypto.push(crypto);
      } else if (stream) nameFormat(stream, value);
    }
  }
  return { streams };
}

function parseStream(value: string, address: string, direction: Direction): Stream {
  const match = /^(\S+) (\d{1,5})(?:\/\d+)? (\S+) (.+)$/.exec(value);
  if (!match || Number(match[2]) > 65_535) throw new Malformed('A stream cannot be read.');
  const [, kind = '', port, protocol = '', formats = ''] = match;
  const list = formats.split(/ +/).filter(Boolean).slice(0, 64);
  const names = new Map(list.flatMap((one) => (fixedNames[one] ? [[one, fixedNames[one]] as const] : [])));
  return { kind, port: Number(port), protocol, formats: list, address, direction, names, crypto: [] };
}

function parseConnection(value: string): string {
  const [, , address = ''] = value.split(/ +/);
  // A multicast address may carry its time to live; a name would have to be looked up, and nobody sends one.
  const [bare = ''] = address.split('/');
  return isIP(bare) === 0 ? '' : bare;
}

function nameFormat({ names }: Stream, attribute: string): void {
  const match = /^rtpmap:(\d{1,3}) +([^\s/]+)\/(\d+)/i.exec(attribute);
  if (match) names.set(match[1]!, `${match[2]!.toUpperCase()}/${match[3]}`);
}

/**
 * undefined: a suite that we do not have, several keys (MKI), or parameters that change what is encrypted. A lifetime is longer than any
 * call: 2^31 packets are more than a year.
 */
function parseCrypto(attribute: string): Crypto | undefined {
  const match =
    /^crypto:(\d{1,9}) +(\w+) +inline:([A-Za-z0-9+/=]{1,100})(\|2\^\d{1,2}|\|\d{1,15})?((?: +WSH=\d+)*)$/i.exec(
      attribute,
    );
  const [, tag = '', suite = '', key = ''] = match ?? [];
  if (!isSuite(suite)) return undefined;
  const isWhole = Buffer.from(key, 'base64').length === suites[suite].keyOctets + saltOctets;
  return isWhole ? { tag, suite, key } : undefined;
}

export interface OwnStream {
  address: string;
  port: number;
  /** Which description of this session it is. */
  id: number;
  version: number;
}

/** A description of ours; `media` are its m-lines with their attributes. */
export function writeSdp({ address, id, version }: OwnStream, media: string[]): string {
  const family = isIP(address) === 6 ? 'IP6' : 'IP4';
  return `${[
    'v=0',
    `o=parley ${id} ${version} IN ${family} ${address}`,
    's=-',
    `c=IN ${family} ${address}`,
    't=0 0',
    ...media,
  ].join('\r\n')}\r\n`;
}
