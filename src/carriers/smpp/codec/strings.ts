import { FieldError } from './errors.ts';

/** The octets a C-octet string takes with its NUL. Letters are octets: Latin-1, so that whatever comes can be sent back. */
export function lengthOfCstring(name: string, text: string, size: number): number {
  const { length } = text;
  if (length >= size) throw new FieldError(name, `has ${length} characters; at most ${size - 1} fit.`);
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0 || code > 0xff) throw new FieldError(name, `holds a character that is no octet other than NUL.`);
  }
  return length + 1;
}

/** Strings here are short: a loop is faster than a call of the buffer's own writer. */
export function writeCstring(buffer: Buffer, at: number, text: string): number {
  const { length } = text;
  for (let index = 0; index < length; index++) buffer[at + index] = text.charCodeAt(index);
  buffer[at + length] = 0;
  return at + length + 1;
}
