import { callIdOf, cseqOf, fromOf, listOf, parseAddress, parseVia, toOf, viaOf } from './fields.ts';
import { type Headers, header, longName, noBody, type SipMessage, type SipRequest } from './message.ts';
import { Malformed, parseUri } from './uri.ts';

/** Of one message, whatever carries it: more than a datagram can have. */
export const mostOctets = 65_536;
const mostLines = 256;

/**
 * What some octets are. `bad` with a request and a status can be answered; without, nothing can be done but to drop it. Never
 * throws, and takes time in proportion to the length.
 */
export type Parsed =
  | { kind: 'message'; message: SipMessage }
  | { kind: 'bad'; problem: string; status?: number; request?: SipRequest };

/** What a datagram has beyond its message is cut off (RFC 3261 18.3). */
export function parse(octets: Buffer): Parsed {
  if (octets.length > mostOctets) return { kind: 'bad', problem: 'A message is too large.' };
  let message: SipMessage | undefined;
  try {
    const { lines, bodyAt } = splitHead(octets);
    const headers = readHeaders(lines);
    message = readStart(lines[0]!, headers);
    if (message.kind === 'request' && !/SIP\/2\.0[ \t]*$/i.test(lines[0]!)) {
      throw new Malformed('Another version of SIP.', { cause: 505 });
    }
    message.body = readBody(headers, octets.subarray(bodyAt));
    check(message);
    return { kind: 'message', message };
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return refusal(message, error);
  }
}

/** RFC 3261 allows no answer to an answer and none to an ACK. */
function refusal(message: SipMessage | undefined, { message: problem, cause: status = 400 }: Error): Parsed {
  if (message?.kind !== 'request' || message.method === 'ACK' || !message.headers.has('via'))
    return { kind: 'bad', problem };
  return { kind: 'bad', problem, status: status as number, request: message };
}

/** The lines before the empty one, unfolded (RFC 3261 7.3.1). */
function splitHead(octets: Buffer): { lines: string[]; bodyAt: number } {
  const lines: string[] = [];
  let at = 0;
  for (;;) {
    const newline = octets.indexOf(10, at);
    // Some leave out the empty line when nothing follows it.
    if (newline < 0 && at === octets.length && lines.length > 0) return { lines, bodyAt: at };
    if (newline < 0) throw new Malformed('A message has no end of its head.');
    const end = newline > at && octets[newline - 1] === 13 ? newline - 1 : newline;
    if (end === at) {
      at = newline + 1;
      // Empty lines may come before a message (RFC 3261 7.5).
      if (lines.length > 0) return { lines, bodyAt: at };
      continue;
    }
    const line = octets.toString('utf8', at, end);
    const isFolded = (octets[at] === 32 || octets[at] === 9) && lines.length > 1;
    if (isFolded) lines[lines.length - 1] += ` ${line.trim()}`;
    else lines.push(line);
    if (lines.length > mostLines) throw new Malformed('A message has too many headers.');
    at = newline + 1;
  }
}

function readHeaders(lines: string[]): Headers {
  const headers: Headers = new Map();
  for (let index = 1; index < lines.length; index++) {
    const line = lines[index]!;
    const colon = line.indexOf(':');
    const name = longName(line.slice(0, Math.max(colon, 0)).trimEnd());
    // Left to whoever reads the rest: what has no name cannot be looked at.
    if (colon < 1 || !/^[!%'*+\-.0-9A-Z_`a-z~]+$/.test(name)) continue;
    const value = line.slice(colon + 1).trim();
    const known = headers.get(name);
    if (known) known.push(value);
    else headers.set(name, [value]);
  }
  return headers;
}

const requestLine = /^([!%'*+\-.0-9A-Z_`a-z~]+) (.+) SIP\/\d+\.\d+[ \t]*$/i;
const statusLine = /^SIP\/2\.0 (\d{3})(?: (.*))?$/i;

function readStart(line: string, headers: Headers): SipMessage {
  const body = noBody;
  const status = statusLine.exec(line);
  if (status) return { kind: 'response', status: Number(status[1]), reason: status[2] ?? '', headers, body };
  const request = requestLine.exec(line);
  if (!request) throw new Malformed('The first line is no request and no answer.');
  return { kind: 'request', method: request[1]!, uri: request[2]!, headers, body };
}

function readBody(headers: Headers, rest: Buffer): Buffer {
  const given = headers.get('content-length');
  if (!given) return rest;
  if (given.length > 1) throw new Malformed('Content-Length is told more than once.');
  if (!/^\d{1,9}$/.test(given[0]!)) throw new Malformed('Content-Length is not a number.');
  const length = Number(given[0]);
  if (length > rest.length) throw new Malformed('Content-Length is more than there is.');
  return rest.subarray(0, length);
}

const single = ['from', 'to', 'call-id', 'cseq', 'max-forwards'];

function check(message: SipMessage): void {
  const { headers } = message;
  if (message.kind === 'response') checkStatus(message.status);
  for (const name of single) {
    if ((headers.get(name)?.length ?? 0) > 1) throw new Malformed(`${name} is told more than once.`);
  }
  checkCharacters(message);
  checkCallId(callIdOf(message));
  viaOf(message);
  const [, ...farther] = listOf(message, 'via');
  for (const via of farther) parseVia(via);
  const cseq = cseqOf(message);
  for (const { uri } of [fromOf(message), toOf(message)]) parseUri(uri);
  for (const name of ['contact', 'route', 'record-route']) checkAddresses(message, name);
  if (message.kind === 'request') checkRequest(message, cseq.method);
}

/** RFC 3261 25.1: control characters stand in no field, but for a quoted pair (`\\` and one character) and the tab. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const control = /(?:^|[^\\])[\0-\x08\x0a-\x1f\x7f]/;

function checkCharacters(message: SipMessage): void {
  const start = message.kind === 'request' ? message.uri : message.reason;
  if (control.test(start)) throw new Malformed('The first line has a control character.');
  for (const [name, lines] of message.headers) {
    if (lines.some((line) => control.test(line))) throw new Malformed(`${name} has a control character.`);
  }
}

/** Longer than any that is in use; it is kept with the call. */
const longestCallId = 255;

function checkCallId(callId: string): void {
  if (callId === '') throw new Malformed('Call-ID is missing.');
  if (callId.length > longestCallId) throw new Malformed('Call-ID is too long.');
  // U+FFFD is what octets become that are no UTF-8: our answer could not repeat them.
  if (/[\s\ufffd]/.test(callId)) throw new Malformed('Call-ID has a character that it may not have.');
}

function checkStatus(status: number): void {
  if (status < 100 || status > 699) throw new Malformed('There is no such status.');
}

function checkAddresses(message: SipMessage, name: string): void {
  for (const value of listOf(message, name)) if (value !== '*') parseUri(parseAddress(value).uri);
}

function checkRequest(request: SipRequest, method: string): void {
  if (method !== request.method) throw new Malformed('CSeq has another method.');
  const hops = header(request, 'max-forwards');
  if (hops !== undefined && !(/^\d{1,6}$/.test(hops) && Number(hops) <= 255)) {
    throw new Malformed('Max-Forwards is not a number up to 255.');
  }
  parseUri(request.uri);
}
