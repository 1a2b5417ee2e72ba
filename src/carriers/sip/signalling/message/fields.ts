// Reads the fields that SIP itself lives by. All of it is linear in the length of the text.
import type { Headers } from './message.ts';
import { remember } from './remember.ts';
import { hostPortText, Malformed, type Params, parseHostPort, type ReadonlyParams } from './uri.ts';

/** From, To, Contact, Route … */
export interface Address {
  readonly display: string;
  readonly uri: string;
  readonly params: ReadonlyParams;
}

export interface Via {
  /** In upper case: UDP, TCP … */
  transport: string;
  host: string;
  port: number | undefined;
  params: ReadonlyParams;
}

export interface CSeq {
  number: number;
  method: string;
}

type Holder = { headers: Headers };

/** Splits at a character that stands neither in quotes nor in angle brackets. */
export function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  let enclosed = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (quoted) {
      if (character === '\\') at++;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '<') enclosed = true;
    else if (character === '>') enclosed = false;
    else if (character === separator && !enclosed) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  if (quoted) throw new Malformed('A quotation has no end.');
  parts.push(text.slice(start));
  return parts;
}

/** The elements of a header that may be one line or many. */
export const listOf = ({ headers }: Holder, name: string): string[] =>
  (headers.get(name) ?? []).flatMap((line) =>
    line.includes(',') ? splitOutside(line, ',').map((part) => part.trim()) : [line],
  );

/** The tokens of Allow, Supported, Require … */
export const tokensOf = (message: Holder, name: string): string[] => listOf(message, name).filter(Boolean);

/** `;name=value;flag`. An empty one is a mistake (RFC 4475, 3.1.2.1). */
export function parseParams(text: string): Params {
  const params: Params = new Map();
  if (text.trim() === '') return params;
  const [before = '', ...parts] = splitOutside(text, ';');
  if (before.trim() !== '') throw new Malformed('Something stands before the parameters.');
  for (const part of parts) {
    const equals = part.indexOf('=');
    const name = (equals < 0 ? part : part.slice(0, equals)).trim().toLowerCase();
    if (name === '' || /[\s,]/.test(name)) throw new Malformed('A parameter has no usable name.');
    params.set(name, equals < 0 ? null : unquote(part.slice(equals + 1).trim()));
  }
  return params;
}

export const unquote = (text: string): string =>
  text.length >= 2 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1).replace(/\\(.)/gs, '$1') : text;
export const quote = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

export const parseAddress = remember(readAddress);

function readAddress(text: string): Address {
  const value = text.trim();
  const open = value.startsWith('"') ? value.indexOf('<', endOfQuote(value)) : value.indexOf('<');
  if (open < 0) {
    const semicolon = value.indexOf(';');
    const uri = semicolon < 0 ? value : value.slice(0, semicolon).trim();
    // Without brackets nobody can tell whose these would be (RFC 3261 20.10).
    if (/[?,\s"]/.test(uri) || uri === '') throw new Malformed('An address must stand in angle brackets.');
    return { display: '', uri, params: parseParams(semicolon < 0 ? '' : value.slice(semicolon)) };
  }
  const close = value.indexOf('>', open);
  if (close < 0) throw new Malformed('An angle bracket is not closed.');
  const display = value.slice(0, open).trim();
  if (display.includes('"') && !/^"(?:[^"\\]|\\.)*"$/s.test(display)) throw new Malformed('A name is badly quoted.');
  return {
    display: unquote(display),
    uri: value.slice(open + 1, close).trim(),
    params: parseParams(value.slice(close + 1)),
  };
}

function endOfQuote(text: string): number {
  for (let at = 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  throw new Malformed('A quotation has no end.');
}

const viaStart = /^SIP\s*\/\s*2\.0\s*\/\s*([A-Za-z0-9.!%*_+`'~-]+)\s+/i;

export function parseVia(text: string): Via {
  const value = text.trim();
  const start = viaStart.exec(value);
  if (!start) throw new Malformed('Via is not of SIP 2.0.');
  const rest = value.slice(start[0].length);
  const semicolon = rest.indexOf(';');
  return {
    transport: start[1]!.toUpperCase(),
    ...parseHostPort((semicolon < 0 ? rest : rest.slice(0, semicolon)).trim()),
    params: parseParams(semicolon < 0 ? '' : rest.slice(semicolon)),
  };
}

// A branch is of one message: there is no use in keeping more.
const readVia = remember((line) => parseVia(line.includes(',') ? splitOutside(line, ',')[0]! : line), 1);
const readCseq = remember((text): CSeq => {
  const match = /^(\d{1,10})\s+(\S+)$/.exec(text.trim());
  const number = Number(match?.[1]);
  // RFC 3261 8.1.1.5: below 2^31.
  if (!match || number >= 2 ** 31) throw new Malformed('CSeq cannot be read.');
  return { number, method: match[2]! };
});

/** Of the last hop: where the message comes from, and where its answer goes. */
export const viaOf = ({ headers }: Holder): Readonly<Via> => readVia(headers.get('via')?.[0] ?? '');
export const cseqOf = ({ headers }: Holder): Readonly<CSeq> => readCseq(headers.get('cseq')?.[0] ?? '');
export const fromOf = ({ headers }: Holder): Address => parseAddress(headers.get('from')?.[0] ?? '');
export const toOf = ({ headers }: Holder): Address => parseAddress(headers.get('to')?.[0] ?? '');
export const callIdOf = ({ headers }: Holder): string => headers.get('call-id')?.[0]?.trim() ?? '';
export const fromTag = (message: Holder): string => fromOf(message).params.get('tag') ?? '';
export const toTag = (message: Holder): string => toOf(message).params.get('tag') ?? '';

/** The first Contact; undefined where there is none, or `*`. */
export function contactOf(message: Holder): Address | undefined {
  const [first] = listOf(message, 'contact');
  return first === undefined || first.trim() === '*' ? undefined : parseAddress(first);
}

/** A whole number in a header; undefined where there is none or it is something else. */
export function integerOf({ headers }: Holder, name: string): number | undefined {
  const digits = /^\s*(\d{1,10})\s*(?:;|$)/.exec(headers.get(name)?.[0] ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}

export const viaText = ({ transport, host, port, params }: Via): string =>
  `SIP/2.0/${transport} ${hostPortText(host, port)}${paramsText(params)}`;

const paramsText = (params: ReadonlyParams): string =>
  [...params].map(([name, value]) => (value === null ? `;${name}` : `;${name}=${value}`)).join('');
