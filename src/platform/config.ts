import { BlockList, isIP, isIPv6 } from 'node:net';
import { resolve } from 'node:path';
import { type Static, Type } from 'typebox';
import { StartError } from './errors.ts';
import { readStoreAddress, type StoreAddress } from './files/s3/address.ts';
import { bodyValidator, queryValidator } from './http/validation/index.ts';
import type { TrustProxy } from './http/wire/client-address.ts';
import { everyNetwork, parseNetwork } from './networks.ts';
import {
  networksExample,
  pricesDescription,
  type Role,
  roles,
  Settings,
  trustDescription,
  usualPrices,
} from './settings.ts';

export type Config = Static<typeof Settings> & {
  roles: ReadonlySet<Role>;
  trustProxy: TrustProxy;
  /** The first and the last. */
  rtpPorts: readonly [number, number];
  dataDir: string;
  /** Where `FILES_URL` says that files are; undefined: in DATA_DIR. */
  store: StoreAddress | undefined;
  /** Where programs are looked for. */
  searchPath: string | undefined;
  /** By country; `default` for those that are not named. */
  numberPrices: Readonly<Record<string, number>>;
  /** Networks that are allowed though they are not public. */
  allow: Readonly<Record<'webhook' | 'sip' | 'smpp' | 'sso', readonly string[]>>;
};

const names = Object.keys(Settings.properties) as (keyof Static<typeof Settings>)[];

/**
 * Those that are given, checked by one schema that has no others: most are left as they are, and every start waits for the compiler.
 */
function readSettings(env: Record<string, string | undefined>): Static<typeof Settings> {
  const given = names.filter((name) => env[name] !== undefined && env[name] !== '');
  const { value, errors } = checkOf(given)(Object.fromEntries(given.map((name) => [name, env[name]])));
  const read = value as Record<string, unknown>;
  const wrong = errors && given.find((name) => name in errors);
  if (wrong !== undefined) {
    const shown = isSecret(wrong) ? wrong : `${wrong}=${JSON.stringify(read[wrong])}`;
    throw new StartError(`${shown} is not a valid setting. ${describe(wrong).description}`);
  }
  return Object.fromEntries(
    names.map((name) => [name, given.includes(name) ? read[name] : describe(name).default]),
  ) as Static<typeof Settings>;
}

const describe = (name: keyof Static<typeof Settings>) =>
  Settings.properties[name] as { default?: unknown; description?: string };

/** By the names: settings are read twice at a start. */
const checks = new Map<string, ReturnType<typeof queryValidator>>();

function checkOf(given: (keyof Static<typeof Settings>)[]): ReturnType<typeof queryValidator> {
  const key = given.join();
  const check = checks.get(key) ?? queryValidator(Type.Pick(Settings, given));
  checks.set(key, check);
  return check;
}

/** Reads and checks the settings; throws a sentence that names the variable. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const settings = readSettings(env);
  refuseShortTokens(settings);
  refuseHalfCertificates(settings);
  if (settings.WAL_ARCHIVE !== '' && settings.DATABASE_URL !== '')
    throw new StartError(
      'WAL_ARCHIVE is for the embedded PostgreSQL. With DATABASE_URL, let your server archive its log itself, and unset WAL_ARCHIVE.',
    );
  return {
    ...settings,
    PUBLIC_URL: readPublicUrl(settings.PUBLIC_URL),
    // Of other settings an empty one is the default; here it says that there is no such program.
    SPEECH_PROGRAM: env['SPEECH_PROGRAM'] === '' ? '' : settings.SPEECH_PROGRAM,
    roles: readRoles(settings.ROLES),
    trustProxy: readTrust(settings.TRUST_PROXY),
    rtpPorts: readPorts(settings.RTP_PORTS),
    dataDir: resolve(settings.DATA_DIR),
    // Its parts are below; the whole holds a secret.
    FILES_URL: '',
    store: settings.FILES_URL === '' ? undefined : readStoreAddress(settings.FILES_URL, env),
    searchPath: env['PATH'],
    numberPrices: readPrices(settings.NUMBER_PRICES),
    allow: {
      webhook: [...readNetworks(settings, 'WEBHOOK_ALLOW'), ...(settings.WEBHOOK_ALLOW_PRIVATE ? everyNetwork : [])],
      sip: readNetworks(settings, 'SIP_ALLOW'),
      smpp: readNetworks(settings, 'SMPP_ALLOW'),
      sso: readNetworks(settings, 'SSO_ALLOW'),
    },
  };
}

/** What is not to be shown, also when it is wrong. */
const isSecret = (name: string): boolean => name.endsWith('_TOKEN');

const shortestToken = 16;

/** Whoever can reach the server can try tokens: a short one would be found. */
function refuseShortTokens(settings: Static<typeof Settings>): void {
  if (isLoopback(settings.HOST)) return;
  for (const name of ['BOOTSTRAP_TOKEN', 'METRICS_TOKEN'] as const) {
    const { length } = settings[name];
    if (length === 0 || length >= shortestToken) continue;
    throw new StartError(
      `${name} has ${length} characters, and needs at least ${shortestToken} where HOST=${settings.HOST} opens the server to ` +
        'others. Take a long random one, or a loopback address for HOST.',
    );
  }
}

/** A certificate without its key is a mistake that would otherwise show as plain HTTP. */
function refuseHalfCertificates(settings: Static<typeof Settings>): void {
  const isSecure = settings.TLS_CERT_FILE !== '';
  if (isSecure !== (settings.TLS_KEY_FILE !== ''))
    throw new StartError('TLS_CERT_FILE and TLS_KEY_FILE go together: set both, or neither.');
  if ((settings.SIP_TLS_CERT_FILE !== '') !== (settings.SIP_TLS_KEY_FILE !== ''))
    throw new StartError('SIP_TLS_CERT_FILE and SIP_TLS_KEY_FILE go together: set both, or neither.');
  if (settings.HTTP_REDIRECT_PORT !== 0 && !isSecure)
    throw new StartError('HTTP_REDIRECT_PORT redirects to HTTPS, and needs TLS_CERT_FILE and TLS_KEY_FILE.');
}

/**
 * Whoever tries Parley in a terminal has the receiver of their webhooks on the same machine. Where others may reach the server, and in
 * services, which have no terminal, nothing is allowed that was not asked for.
 */
export function allowOwnReceivers(env: Record<string, string | undefined>, isTerminal: boolean): boolean {
  const { HOST, PUBLIC_URL, WEBHOOK_ALLOW, WEBHOOK_ALLOW_PRIVATE, trustProxy } = readConfig(env);
  const isOurs = isTerminal && isLoopback(HOST) && PUBLIC_URL === '' && trustProxy === false;
  if (!isOurs || WEBHOOK_ALLOW !== '' || WEBHOOK_ALLOW_PRIVATE) return false;
  env['WEBHOOK_ALLOW'] = '127.0.0.0/8,::1/128';
  return true;
}

/** Whether only this machine reaches what listens on it. */
export function isLoopback(host: string): boolean {
  return host.toLowerCase() === 'localhost' || (isIP(host) > 0 && loopback.check(host, isIPv6(host) ? 'ipv6' : 'ipv4'));
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** How the outside world reaches this server, without a slash at the end. */
export function originOf({
  PUBLIC_URL,
  HOST,
  PORT,
  TLS_CERT_FILE,
}: Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT' | 'TLS_CERT_FILE'>): string {
  const scheme = TLS_CERT_FILE === '' ? 'http' : 'https';
  const host = HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST;
  // A URL leaves out the port that its scheme has anyway.
  return (
    PUBLIC_URL.replace(/\/$/, '') || new URL(`${scheme}://${host.includes(':') ? `[${host}]` : host}:${PORT}`).origin
  );
}

/** In ASCII, as headers and messages need it; one that is so already is left as it is written. */
function readPublicUrl(text: string): string {
  if (text === '') return '';
  const url = URL.parse(text);
  if (!url) throw new StartError(`PUBLIC_URL=${text} is not the address of a server.`);
  return /^[\x21-\x7e]+$/.test(text) ? text : url.href;
}

function readPorts(text: string): [number, number] {
  const [first = 0, last = 0] = text.split('-').map(Number);
  if (first < 1024 || last > 65_535 || last - first < 3) {
    throw new StartError(`RTP_PORTS=${text} is not a range of ports from 1024 to 65535.`);
  }
  return [first, last];
}

function readNetworks<Name extends string>(settings: Record<Name, string>, name: Name): string[] {
  const text = settings[name];
  const networks = text === '' || text === 'none' ? [] : text.split(',').map((network) => network.trim());
  const wrong = networks.find((network) => !parseNetwork(network));
  if (wrong === undefined) return networks;
  throw new StartError(`${name}=${text} is not a valid setting: "${wrong}" is not a network, ${networksExample}`);
}

function readTrust(text: string): TrustProxy {
  const word = text.trim().toLowerCase();
  if (word === 'true' || word === 'false') return word === 'true';
  if (/^\d{1,2}$/.test(word)) return Number(word);
  const networks = word.split(',').map((network) => network.trim());
  if (networks.every(parseNetwork)) return networks;
  throw new StartError(`TRUST_PROXY=${JSON.stringify(text)} is not a valid setting. ${trustDescription}`);
}

function readRoles(text: string): ReadonlySet<Role> {
  if (text === 'all') return new Set(roles);
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !roles.includes(name as Role));
  if (unknown !== undefined)
    throw new StartError(`ROLES names an unknown role "${unknown}". Known: all, ${roles.join(', ')}.`);
  return new Set(names as Role[]);
}

const Prices = Type.Record(
  Type.String({ pattern: '^([A-Z]{2}|default)$' }),
  Type.Number({ minimum: 0, maximum: 1e6 }),
  {
    additionalProperties: false,
  },
);

const findPriceErrors = bodyValidator(Prices);

function readPrices(text: string): Record<string, number> {
  try {
    const prices = JSON.parse(text);
    if (text === usualPrices || !findPriceErrors(prices)) return { default: 0, ...prices };
  } catch {
    // No JSON: said below, like any other mistake.
  }
  throw new StartError(`NUMBER_PRICES=${text} is not a valid setting. ${pricesDescription}`);
}
