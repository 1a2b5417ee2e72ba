/** Why a link leads nowhere. */
export type DeadEnd = 'unknown' | 'gone';

const words: Record<DeadEnd, [title: string, sentence: string]> = {
  unknown: ['No such link', 'This link leads nowhere. Please check that it is complete.'],
  gone: ['Link expired', 'This link no longer works. Please ask the person who gave it to you for a new one.'],
};

/** Nothing is fetched and nothing runs; the browser enforces it. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
};

/** A page of one sentence, to be read on a phone by day and by night. */
const page = ([title, sentence]: [string, string]): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>${title}</title>
    <link rel="icon" href="data:,">
    <style>
      :root { color-scheme: light dark; }
      body { margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 1.5rem; box-sizing: border-box; }
      body { font: 1.125rem/1.5 system-ui, sans-serif; text-align: center; }
      h1 { font-size: 1.5rem; margin: 0 0 .5rem; }
      p { margin: 0; max-width: 26rem; opacity: .8; }
    </style>
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      <p>${sentence}</p>
    </main>
  </body>
</html>
`;

export const pages: Record<DeadEnd, string> = { unknown: page(words.unknown), gone: page(words.gone) };
