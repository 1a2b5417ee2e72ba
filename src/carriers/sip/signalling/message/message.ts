// SIP messages as they are passed around (RFC 3261, 7). Headers are kept as they were written; those that matter are read by
// the functions of `fields.ts`, and were read once by `parse.ts`, which lets nothing pass that these would choke on.
import { randomFillSync } from 'node:crypto';

/** By long name in lower case, each with its lines in order. */
export type Headers = Map<string, string[]>;

export interface SipRequest {
  kind: 'request';
  method: string;
  uri: string;
  headers: Headers;
  body: Buffer;
}

export interface SipResponse {
  kind: 'response';
  status: number;
  reason: string;
  headers: Headers;
  body: Buffer;
}

export type SipMessage = SipRequest | SipResponse;

export const noBody = Buffer.alloc(0);

export const header = ({ headers }: { headers: Headers }, name: string): string | undefined => headers.get(name)?.[0];

/** The compact forms of RFC 3261 7.3.3 and of the extensions that have one. */
const compact: Readonly<Record<string, string>> = {
  a: 'accept-contact',
  b: 'referred-by',
  c: 'content-type',
  d: 'request-disposition',
  e: 'content-encoding',
  f: 'from',
  i: 'call-id',
  j: 'reject-contact',
  k: 'supported',
  l: 'content-length',
  m: 'contact',
  o: 'event',
  r: 'refer-to',
  s: 'subject',
  t: 'to',
  u: 'allow-events',
  v: 'via',
  x: 'session-expires',
  y: 'identity',
};

export function longName(name: string): string {
  const lower = name.toLowerCase();
  return (lower.length === 1 && compact[lower]) || lower;
}

/** The default reason phrases. */
const reasons: Readonly<Record<number, string>> = {
  100: 'Trying',
  180: 'Ringing',
  183: 'Session Progress',
  200: 'OK',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  407: 'Proxy Authentication Required',
  408: 'Request Timeout',
  410: 'Gone',
  415: 'Unsupported Media Type',
  416: 'Unsupported URI Scheme',
  420: 'Bad Extension',
  422: 'Session Interval Too Small',
  480: 'Temporarily Unavailable',
  481: 'Call/Transaction Does Not Exist',
  482: 'Loop Detected',
  483: 'Too Many Hops',
  486: 'Busy Here',
  487: 'Request Terminated',
  488: 'Not Acceptable Here',
  491: 'Request Pending',
  500: 'Server Internal Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
  504: 'Server Time-out',
  505: 'Version Not Supported',
  513: 'Message Too Large',
  600: 'Busy Everywhere',
  603: 'Decline',
};

export const reasonOf = (status: number): string => reasons[status] ?? 'Unknown';

/** Header lines to set on a message, by long name. */
export type Given = Readonly<Record<string, string | readonly string[] | undefined>>;

export function headersOf(given: Given): Headers {
  const headers: Headers = new Map();
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) headers.set(name, typeof value === 'string' ? [value] : [...value]);
  }
  return headers;
}

export interface ResponseOptions {
  reason?: string;
  /** Of our side, where the request had none. */
  toTag?: string;
  headers?: Given;
  body?: Buffer;
}

/** The answer to a request, with what RFC 3261 8.2.6.2 copies from it. */
export function makeResponse(request: SipRequest, status: number, options: ResponseOptions = {}): SipResponse {
  const { reason = reasonOf(status), toTag, body = noBody } = options;
  const headers: Headers = new Map();
  for (const name of ['via', 'from', 'to', 'call-id', 'cseq']) {
    const lines = request.headers.get(name);
    if (lines) headers.set(name, lines);
  }
  const to = header(request, 'to');
  if (toTag !== undefined && to !== undefined && !/;\s*tag\s*=/i.test(to.slice(to.lastIndexOf('>') + 1))) {
    headers.set('to', [`${to};tag=${toTag}`]);
  }
  for (const [name, lines] of headersOf(options.headers ?? {})) headers.set(name, lines);
  return { kind: 'response', status, reason, headers, body };
}

// Drawn 4 KiB at a time: a drawing costs more than the octets.
const pool = Buffer.allocUnsafe(4096);
let used = pool.length;

/** What a stranger would have to guess to end somebody's call: random, and long. */
function randomHex(octets: number): string {
  if (used + octets > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += octets;
  return pool.toString('hex', used - octets, used);
}

export const newTag = (): string => randomHex(8);
export const newBranch = (): string => `z9hG4bK${randomHex(12)}`;
export const newCallId = (host: string): string => `${randomHex(16)}@${host}`;
