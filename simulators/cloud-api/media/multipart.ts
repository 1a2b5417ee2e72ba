import { invalid } from '../graph/checks.ts';

export interface FormPart {
  name: string;
  filename: string | null;
  type: string;
  content: Buffer;
}

const maxParts = 20;
const maxHeadBytes = 8192;
const blankLine = Buffer.from('\r\n\r\n');

/** The parts of a `multipart/form-data` body (RFC 7578), which is in memory as a whole already. */
export function parseMultipart(body: Buffer, boundary: string): FormPart[] {
  const delimiter = Buffer.from(`--${boundary}`);
  const parts: FormPart[] = [];
  let at = body.indexOf(delimiter);
  while (at >= 0) {
    const start = at + delimiter.length;
    // The last boundary is followed by two dashes.
    if (body.toString('latin1', start, start + 2) === '--') return parts;
    // The boundary must begin a line: the same letters may occur within a file.
    const next = body.indexOf(Buffer.concat([Buffer.from('\r\n'), delimiter]), start);
    if (next < 0 || parts.length >= maxParts) break;
    parts.push(parsePart(body.subarray(start + 2, next)));
    at = next + 2;
  }
  throw invalid('The multipart body is malformed.');
}

function parsePart(part: Buffer): FormPart {
  const end = part.indexOf(blankLine);
  if (end < 0 || end > maxHeadBytes) throw invalid('A part of the multipart body has no end of headers.');
  const head = part.toString('utf8', 0, end);
  const name = /content-disposition:[^\r\n]*?[;\s]name="([^"]*)"/i.exec(head)?.[1];
  if (name === undefined) throw invalid('A part of the multipart body has no name.');
  return {
    name,
    filename: /[;\s]filename="([^"]*)"/i.exec(head)?.[1] ?? null,
    type: /content-type:\s*([^\r\n]+)/i.exec(head)?.[1]?.trim() ?? 'text/plain',
    content: part.subarray(end + blankLine.length),
  };
}
