import type { SipMessage } from './message.ts';

const oddNames: Readonly<Record<string, string>> = {
  'call-id': 'Call-ID',
  cseq: 'CSeq',
  'www-authenticate': 'WWW-Authenticate',
  'mime-version': 'MIME-Version',
  'min-se': 'Min-SE',
};
const names = new Map<string, string>();

function wireName(name: string): string {
  const known = names.get(name);
  if (known !== undefined) return known;
  const made = oddNames[name] ?? name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
  // Only the names that we write come here often; a stranger's must not fill the map.
  if (names.size < 200) names.set(name, made);
  return made;
}

/** Nothing that came from elsewhere (a name, a number) may begin a line of its own. */
const oneLine = (text: string): string => (/[\r\n\0]/.test(text) ? text.replace(/[\r\n\0]+/g, ' ') : text);

/** A message as it goes out; Content-Length is always told, and always right. */
export function serialise(message: SipMessage): Buffer {
  const start =
    message.kind === 'request'
      ? `${message.method} ${oneLine(message.uri)} SIP/2.0\r\n`
      : `SIP/2.0 ${message.status} ${oneLine(message.reason)}\r\n`;
  let text = start;
  for (const [name, lines] of message.headers) {
    if (name === 'content-length') continue;
    for (const line of lines) text += `${wireName(name)}: ${oneLine(line)}\r\n`;
  }
  text += `Content-Length: ${message.body.length}\r\n\r\n`;
  const head = Buffer.from(text, 'utf8');
  return message.body.length === 0 ? head : Buffer.concat([head, message.body]);
}
