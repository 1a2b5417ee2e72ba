import type { TestAnswer, TestApp } from '../kit/app.ts';

const boundary = 'sweep-boundary';

/** Sends a body of the sweep as the form of an upload: `file` as a file of text, or of a data URL’s bytes, the others as fields. */
export async function sendForm(
  { app, token }: TestApp,
  url: string,
  body: unknown,
  options: Parameters<TestApp['call']>[3] = {},
): Promise<TestAnswer> {
  const as = options.token === undefined ? token : options.token;
  const answer = await app.inject({
    method: 'POST',
    url,
    headers: {
      ...(as !== null && { authorization: `Token ${as}` }),
      'content-type': `multipart/form-data; boundary=${boundary}`,
      ...options.headers,
    },
    payload: formOf(body),
  });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
}

/** What is no object is no form either, and is sent as it is. */
function formOf(body: unknown): Buffer {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return bytesOf(textOf(body));
  const parts = Object.entries(body).flatMap(([name, value]) => [
    bytesOf(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name.replaceAll(/["\r\n]/g, encodeURIComponent)}"`,
    ),
    bytesOf(name === 'file' ? '; filename="example.txt"\r\n\r\n' : '\r\n\r\n'),
    (name === 'file' && bytesOfDataUrl(value)) || bytesOf(textOf(value)),
    bytesOf('\r\n'),
  ]);
  return Buffer.concat([...parts, bytesOf(`--${boundary}--\r\n`)]);
}

function bytesOfDataUrl(value: unknown): Buffer | undefined {
  const base64 = typeof value === 'string' ? /^data:[^,]*;base64,(.*)$/.exec(value)?.[1] : undefined;
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64');
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** UTF-8, but half a surrogate pair is written too, as a careless program would: three bytes that mean nothing. */
function bytesOf(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text);
  const bytes = Array.from(text, (character) => {
    const code = character.codePointAt(0)!;
    const isHalf = code >= 0xd800 && code <= 0xdfff;
    return isHalf ? Buffer.from([0xed, 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)]) : Buffer.from(character);
  });
  return Buffer.concat(bytes);
}
