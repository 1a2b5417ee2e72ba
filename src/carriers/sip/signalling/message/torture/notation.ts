// RFC 4475 prints messages that no page can hold, in a notation of its own (section 2). This reads it, so that the messages here
// can be held against the RFC line by line.

export interface TortureMessage {
  section: string;
  name: string;
  /** What is wrong or unusual in it. */
  about: string;
  /** The status it is answered with, or `dropped`: it is not answered, and nothing comes of it. */
  must: number | 'dropped';
  /** As the RFC prints it. */
  text: string;
}

/** The octets of a message. Lines end with CRLF, and the empty line after the headers is there also where nothing follows. */
export function octetsOf(text: string): Buffer {
  const lines = text
    .replace(/^\n/, '')
    .replace(/<allOneLine>\n(.*?)\n<\/allOneLine>/gs, (_, within: string) => within.replaceAll('\n', ''))
    .replace(/<repeat count=(\d+)>(.*?)<\/repeat>/gs, (_, count: string, value: string) => value.repeat(Number(count)));
  const whole = lines.includes('\n\n') ? lines : `${lines}\n`;
  // Split at what is captured: text and hexadecimal digits take turns.
  const parts = whole.split(/<hex>([\s0-9A-F]*)<\/hex>/);
  return Buffer.concat(
    parts.map((part, index) =>
      index % 2 === 1 ? Buffer.from(part.replace(/\s/g, ''), 'hex') : Buffer.from(part.replaceAll('\n', '\r\n')),
    ),
  );
}
