import { alphabet, countSeptets, escapeSeptet, extended, extension, septets } from './alphabet.ts';

/** One septet per byte, as SMPP carries data_coding 0; undefined when the alphabet does not have a character. */
export function encodeGsm7(text: string): Buffer | undefined {
  const count = countSeptets(text);
  if (count === undefined) return undefined;
  const bytes = Buffer.allocUnsafe(count);
  let at = 0;
  for (let index = 0; index < text.length; index++) {
    const septet = septets[text.charCodeAt(index)]!;
    if (septet >= extended) bytes[at++] = escapeSeptet;
    bytes[at++] = septet & 0x7f;
  }
  return bytes;
}

/**
 * What the bytes say, whatever they are. As TS 23.038 asks: an escape before a place that the extension table leaves empty is
 * skipped, one with nothing to escape is a space. A byte that is no septet comes from a peer that means Latin-1.
 */
export function decodeGsm7(bytes: Uint8Array): string {
  let text = '';
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]!;
    if (byte > 0x7f) text += String.fromCharCode(byte);
    else if (byte !== escapeSeptet) text += alphabet[byte]!;
    else if (index + 1 === bytes.length) text += ' ';
    else text += decodeEscaped(bytes[++index]!);
  }
  return text;
}

function decodeEscaped(byte: number): string {
  if (byte === escapeSeptet) return ' ';
  return extension.get(byte) ?? alphabet[byte] ?? String.fromCharCode(byte);
}
