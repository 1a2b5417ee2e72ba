import type { IncomingHttpHeaders } from 'node:http';
import { type FormPart, parseMultipart } from '../media/multipart.ts';
import { type Fields, invalid } from './checks.ts';
import { GraphError } from './errors.ts';

/** One request to Graph: `{method} /{version}/{id}/{edge}/{rest}`. */
export interface Call {
  method: string;
  version: string;
  id: string;
  edge: string;
  rest: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The JSON body. */
  json(): unknown;
  /** The parts of a multipart body. */
  form(): FormPart[];
  /** Parameters from wherever Graph takes them: query, JSON, form. Values of forms that look like JSON are read as such. */
  params(): Fields;
}

type Plain = Omit<Call, 'json' | 'form' | 'params'>;

export function makeCall(plain: Plain): Call {
  const type = plain.headers['content-type'] ?? '';
  const json = (): unknown => {
    try {
      return JSON.parse(plain.body.toString('utf8'));
    } catch {
      throw new GraphError(100, undefined, { message: '(#100) The body is not valid JSON.' });
    }
  };
  const form = (): FormPart[] => {
    const boundary = /boundary=(?:"([^"]+)"|([^;]+))/.exec(type);
    if (!type.startsWith('multipart/form-data') || !boundary) throw invalid('The body must be multipart/form-data.');
    return parseMultipart(plain.body, (boundary[1] ?? boundary[2])!);
  };
  const body = (): Fields => {
    if (plain.body.length === 0) return {};
    if (type.startsWith('application/x-www-form-urlencoded')) {
      return readForm([...new URLSearchParams(plain.body.toString('utf8'))]);
    }
    if (type.startsWith('multipart/form-data')) {
      return readForm(form().map(({ name, content }) => [name, content.toString('utf8')]));
    }
    const parsed = json();
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
      throw invalid('The body must be a JSON object.');
    return parsed as Fields;
  };
  return { ...plain, json, form, params: () => ({ ...Object.fromEntries(plain.query), ...body() }) };
}

function readForm(entries: [string, string][]): Fields {
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (!/^\s*[[{]/.test(value) || name === 'flow_json') return [name, value];
      try {
        return [name, JSON.parse(value)];
      } catch {
        return [name, value];
      }
    }),
  );
}
