import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isbot } from 'isbot';
import type { Vault } from '../../../platform/secrets.ts';

/** Only this much of a user agent is looked at: programs name themselves at its beginning. */
const longestUserAgent = 512;
/** How many visitors are remembered: strangers must not be able to fill the memory. */
const mostKnown = 20_000;
const dayMs = 86_400_000;

/** What is looked at of a request. */
export interface Visit {
  method?: string | undefined;
  headers: IncomingHttpHeaders;
  ip: string;
}

/** Tells people from programs, and people from each other. */
export interface Visitors {
  /**
   * Who opens this: 16 hexadecimal digits, the same for one browser at one address during one day, in every process; null: no
   * person, but a preview, a crawler or a browser that reads ahead.
   */
  nameOf(request: Visit, nowMs: number): string | null;
}

/** A browser by what it calls itself, with the names of those who use it by their addresses; null: it is a program. */
type Browser = Map<string, string> | null;

export function makeVisitors(vault: Pick<Vault, 'digest'>): Visitors {
  const browsers = new Map<string, Browser>();
  let known = 0;
  let day = 0;
  /**
   * The key of the hash, a new one every day. Without it nobody can find out who a visitor was, even with a list of all addresses.
   */
  let salt = '';

  const startAnew = (today = day): void => {
    browsers.clear();
    known = 0;
    day = today;
    salt = vault.digest(`visitors of day ${today}`);
  };
  const remember = <K, V>(map: Map<K, V>, key: K, value: V): V => {
    if (++known > mostKnown) startAnew();
    map.set(key, value);
    return value;
  };

  return {
    nameOf({ method, headers, ip }, nowMs) {
      if (method === 'HEAD' || isAhead(headers)) return null;
      const today = Math.floor(nowMs / dayMs);
      if (today !== day) startAnew(today);
      const userAgent = (headers['user-agent'] ?? '').slice(0, longestUserAgent);
      let browser = browsers.get(userAgent);
      if (browser === undefined) browser = remember(browsers, userAgent, isProgram(userAgent) ? null : new Map());
      if (browser === null) return null;
      return browser.get(ip) ?? remember(browser, ip, nameFor(salt, ip, userAgent));
    },
  };
}

const nameFor = (salt: string, ip: string, userAgent: string): string =>
  hash('sha256', `${salt}\n${ip}\n${userAgent}`, 'hex').slice(0, 16);

/** Whether the browser says that it reads the page ahead, before anybody asked for it. */
function isAhead(headers: IncomingHttpHeaders): boolean {
  const purpose = headers['sec-purpose'] ?? headers['purpose'] ?? headers['x-purpose'] ?? headers['x-moz'];
  return purpose !== undefined && /prefetch|prerender|preview/i.test(String(purpose));
}

/** Every browser says what it is. CFNetwork is what apps on Apple's systems fetch previews with. */
const isProgram = (userAgent: string): boolean =>
  userAgent === '' || userAgent.includes('CFNetwork/') || isbot(userAgent);
