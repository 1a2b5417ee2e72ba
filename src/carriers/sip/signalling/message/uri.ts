import { isIPv6 } from 'node:net';
import { remember } from './remember.ts';

/** Parameters by name in lower case; null: without a value. */
export type Params = Map<string, string | null>;
export type ReadonlyParams = ReadonlyMap<string, string | null>;

export interface Uri {
  /** In lower case. */
  readonly scheme: string;
  /** Of `tel:` the number; '' where there is none. Unescaped. */
  readonly user: string;
  /** IPv6 without brackets; '' in `tel:` and in schemes that we do not know. */
  readonly host: string;
  readonly port: number | undefined;
  readonly params: ReadonlyParams;
}

/** What cannot be understood. */
export class Malformed extends Error {
  override name = 'Malformed';
}

/** RFC 3261 19.1, RFC 3966. An unknown scheme is no syntax error: the code that needs the address refuses it. */
export const parseUri = remember(readUri);

function readUri(text: string): Uri {
  const colon = text.indexOf(':');
  const scheme = text.slice(0, colon).toLowerCase();
  if (colon < 1 || !/^[a-z][a-z0-9+.-]*$/.test(scheme)) throw new Malformed('An address has no scheme.');
  if (/[\s<>"]/.test(text)) throw new Malformed('An address has characters that it cannot have.');
  const rest = text.slice(colon + 1);
  if (scheme === 'tel') {
    const [number = '', ...params] = rest.split(';');
    return { scheme, user: unescapeText(number), host: '', port: undefined, params: paramsOf(params) };
  }
  if (scheme !== 'sip' && scheme !== 'sips') {
    return { scheme, user: '', host: '', port: undefined, params: new Map() };
  }
  const at = rest.lastIndexOf('@');
  const [user = ''] = at < 0 ? [''] : rest.slice(0, at).split(':');
  const [place = ''] = rest.slice(at + 1).split('?');
  const [hostport = '', ...params] = place.split(';');
  return { scheme, user: unescapeText(user), ...parseHostPort(hostport), params: paramsOf(params) };
}

export function parseHostPort(text: string): { host: string; port: number | undefined } {
  const match = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]+))(?:\s*:\s*(\d{1,5}))?$/.exec(text);
  if (!match) throw new Malformed('An address has no usable host.');
  const [, six, name, digits] = match;
  if (six !== undefined && !isIPv6(six)) throw new Malformed('An address has no usable host.');
  const port = digits === undefined ? undefined : Number(digits);
  if (port !== undefined && port > 65_535) throw new Malformed('A port is too large.');
  return { host: six ?? name!, port };
}

const paramsOf = (parts: string[]): Params =>
  new Map(
    parts.filter(Boolean).map((part) => {
      const equals = part.indexOf('=');
      return equals < 0
        ? [unescapeText(part).toLowerCase(), null]
        : [unescapeText(part.slice(0, equals)).toLowerCase(), unescapeText(part.slice(equals + 1))];
    }),
  );

/** `%41` is `A`. What is no good UTF-8 stays as it is. */
function unescapeText(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Characters that a user part may have without being escaped (RFC 3261 25.1). */
export const escapeUser = (text: string): string =>
  encodeURIComponent(text).replace(/%(2B|3D|26|24|2C|3B|3F|2F)/g, (code) => decodeURIComponent(code));

const hostText = (host: string): string => (host.includes(':') ? `[${host}]` : host);
export const hostPortText = (host: string, port: number | undefined): string =>
  port === undefined ? hostText(host) : `${hostText(host)}:${port}`;
