import { consoleHeader, sessionCookie } from '../access/session-cookie.ts';

/** Ways to say who asks. */
export const securitySchemes = {
  Token: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'The word `Token`, a space, and the token: `Authorization: Token <token>`.',
  },
  Bearer: { type: 'http', scheme: 'bearer', description: 'The same token, as `Authorization: Bearer <token>`.' },
  Session: {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookie,
    description:
      'The cookie that signing in with a browser sets (`createSession`); it counts where there is no `Authorization`. Whatever ' +
      `is not a GET also needs the header \`${consoleHeader.name}: ${consoleHeader.value}\`, else it is 403 \`csrf_failed\`.`,
  },
};

/** Headers of answers. */
export const headers = {
  'X-Request-Id': { description: "The request's id: the caller's own, or a new one.", schema: { type: 'string' } },
  'Parley-Ignored-Fields': {
    description: 'The fields of the request that are not known, and so had no effect.',
    schema: { type: 'string' },
  },
  'Parley-Warnings': {
    description:
      'What was accepted but will not do what you may expect, and what else changed with it: sentences in double quotes, separated ' +
      'by commas (RFC 9651). What is not printable ASCII is percent-encoded, and so is the percent sign.',
    schema: { type: 'string' },
    example: '"notify_template: The template is not approved yet."',
  },
  RateLimit: {
    description: 'What is left of the limit, and the seconds until it is whole again.',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': { description: 'Requests allowed per window, and its seconds.', schema: { type: 'string' } },
  'Idempotent-Replayed': {
    description: '`true` when this is the first answer to the Idempotency-Key, sent again.',
    schema: { type: 'string' },
  },
  ETag: {
    description:
      'The version of the object. Send it as `If-Match` with a change, or as `If-None-Match` when you read it again.',
    schema: { type: 'string' },
    example: '"1lFHO6fZlVdMB1Y3Tz0Fyw.v0Q2mWJ3jXc"',
  },
  'Retry-After': { description: 'Seconds to wait before another try.', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'The scheme that is asked for: `Token`.', schema: { type: 'string' } },
};

/** Headers of requests for an object that has an entity tag. */
export const conditions = {
  GET: {
    name: 'If-None-Match',
    in: 'header',
    description:
      'The `ETag` of the version that you have: if it is still the current one, the answer is 304 without a body.',
    schema: { type: 'string' },
  },
  change: {
    name: 'If-Match',
    in: 'header',
    description:
      'The `ETag` of the version that your change is based on: if somebody changed the object since, the answer is 412 and nothing ' +
      'happens. `*`: whatever version there is.',
    schema: { type: 'string' },
  },
};

export const headerRefs = (names: (keyof typeof headers)[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
