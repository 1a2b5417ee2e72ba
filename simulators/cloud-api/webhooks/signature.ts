import { createHmac } from 'node:crypto';

/**
 * JSON as the platform prints it: `/` as `\/`, everything beyond ASCII as lower-case `\uXXXX`, and `@` as `\u0040`.
 * A receiver that parses and prints again gets other bytes, and another signature.
 */
export function platformJson(value: unknown, options: { escapeAt: boolean } = { escapeAt: true }): string {
  const plain = JSON.stringify(value).replaceAll('/', '\\/');
  const escaped = plain.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return options.escapeAt ? escaped.replaceAll('@', '\\u0040') : escaped;
}

/** The value of `X-Hub-Signature-256` for exactly these bytes. */
export const signatureOf = (secret: string, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(body, 'utf8').digest('hex')}`;
