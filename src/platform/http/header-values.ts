// Stored strings in headers. Node throws at a character that a header cannot hold; what people wrote must not get there as it is.
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from './route.ts';

const visible = /^[\x21-\x7e]*$/;

/**
 * A URL as the value of `Location`: in ASCII, with the host in Punycode and the rest percent-encoded. What was normalised when it
 * was stored is returned as it is.
 */
export const locationValue = (address: string): string =>
  visible.test(address) ? address : (URL.parse(address)?.href ?? headerValue(address).replaceAll(' ', '%20'));

/** Any text as the value of a header: what is not printable ASCII is percent-encoded as UTF-8. */
export const headerValue = (text: string): string =>
  text.toWellFormed().replace(/[^\x20-\x7e]/gu, (character) => encodeURIComponent(character));

/** `Content-Disposition` (RFC 6266): the file's name in ASCII for all, and whole for those who understand. */
export function attachment(filename: string): string {
  if (filename === '') return 'attachment';
  const ascii = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(/['()*]/g, percent);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

const invalid = new Set(['ERR_INVALID_CHAR', 'ERR_INVALID_HTTP_TOKEN', 'ERR_HTTP_INVALID_HEADER_VALUE']);
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

type Headers = Record<string, unknown> | readonly unknown[];

/**
 * The safety net below all answers, whoever writes them: a header that Node refuses is sent with its value encoded, and one that has
 * no valid name, or no value, is left out. The answer goes out, and `onMended` is told which header it was. Valid answers cost
 * nothing more.
 */
export function makeSafeResponse(onMended: (header: string) => void): typeof ServerResponse {
  const mend = (name: unknown, value: unknown): [string, string | string[]][] => {
    const texts = (Array.isArray(value) ? value : [value]).filter((one) => one !== undefined && one !== null);
    onMended(headerValue(String(name)));
    if (!token.test(String(name)) || texts.length === 0) return [];
    const values = texts.map((one) => headerValue(String(one)));
    return [[String(name), values.length === 1 ? values[0]! : values]];
  };
  const isRefused = (error: unknown): boolean => invalid.has((error as NodeJS.ErrnoException).code ?? '');
  const isValid = (name: unknown, value: unknown): boolean =>
    token.test(String(name)) && value !== undefined && value !== null && !/[^\t\x20-\x7e\x80-\xff]/.test(String(value));

  return class SafeResponse<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {
    override setHeader(name: string, value: number | string | readonly string[]): this {
      try {
        return super.setHeader(name, value);
      } catch (error) {
        if (!isRefused(error)) throw error;
        for (const [mended, text] of mend(name, value)) super.setHeader(mended, text);
        return this;
      }
    }

    override writeHead(status: number, ...rest: unknown[]): this {
      const write = (given: unknown[]): this => super.writeHead(status, ...(given as []));
      try {
        return write(rest);
      } catch (error) {
        if (!isRefused(error)) throw error;
        const headers = rest.findLast((one) => typeof one === 'object') as Headers;
        const mended = pairsOf(headers).flatMap(([name, value]) =>
          isValid(name, value) ? [[name, value]] : mend(name, value),
        );
        return write([Object.fromEntries(mended)]);
      }
    }
  };
}

/** Headers come as an object, as a list of pairs, or as names and values in turn. */
function pairsOf(headers: Headers): [unknown, unknown][] {
  if (!Array.isArray(headers)) return Object.entries(headers);
  if (Array.isArray(headers[0])) return headers as [unknown, unknown][];
  return headers.flatMap((name, index) => (index % 2 === 0 ? [[name, headers[index + 1]] as [unknown, unknown]] : []));
}

/** The header that says what was accepted but will not do what its author may expect. */
const warningsHeader = 'parley-warnings';

const mostWarnings = 20;
const longestWarning = 400;
const longestValue = 4_000;

/** The answer with warnings, one sentence each: `withWarnings(created(intro), ['notify_template: It is not approved.'])`. */
export function withWarnings(answer: Answer, warnings: readonly string[]): Answer {
  if (warnings.length === 0) return answer;
  return { ...answer, headers: { ...answer.headers, [warningsHeader]: warningsValue(warnings) } };
}

/**
 * The sentences as a list of strings (RFC 9651): `"one", "two"`. What is not printable ASCII is percent-encoded as UTF-8, and so is
 * the percent sign; long sentences and long lists are cut short.
 */
export function warningsValue(warnings: readonly string[]): string {
  let list = '';
  for (const warning of warnings.slice(0, mostWarnings)) {
    const string = `"${inAscii(warning).replace(/["\\]/g, '\\$&')}"`;
    const longer = list === '' ? string : `${list}, ${string}`;
    if (list !== '' && longer.length > longestValue) break;
    list = longer;
  }
  return list;
}

const inAscii = (text: string): string =>
  [...text.toWellFormed()]
    .slice(0, longestWarning)
    .map((character) => (/[\x20-\x24\x26-\x7e]/.test(character) ? character : encodeURIComponent(character)))
    .join('');
