/** A key that was pressed, as INFO tells it: `Signal=5` of application/dtmf-relay, or the bare key of application/dtmf. */
export function digitOf(contentType: string | undefined, body: Buffer): string | undefined {
  const [type = ''] = (contentType ?? '').toLowerCase().split(';');
  const text = body.toString('latin1', 0, 200);
  const key =
    type.trim() === 'application/dtmf-relay'
      ? /^\s*signal\s*=\s*([0-9*#a-d]|1[0-5])\s*$/im.exec(text)?.[1]
      : type.trim() === 'application/dtmf'
        ? /^\s*([0-9*#a-d]|1[0-5])\s*$/i.exec(text)?.[1]
        : undefined;
  // Some write the number of the event (RFC 4733 3.2) where a sign is meant.
  return key && (eventKeys[key] ?? key.toUpperCase());
}

const eventKeys: Readonly<Record<string, string>> = { 10: '*', 11: '#', 12: 'A', 13: 'B', 14: 'C', 15: 'D' };
