import fc from 'fast-check';
import { routes } from '../../../src/app.ts';
import { badBodies } from '../../sweep/bad-bodies.ts';
import { oddTexts, type Random } from '../random.ts';
import { isFault, type Surface } from '../surface.ts';
import type { Answer, Target } from '../target.ts';

type Operation = (typeof routes)[number];

/** These would end the run's own access, or refuse the messages by which it sees that the server still works. */
const leftAlone = new Set([
  'DELETE /v2/auth/tokens/:uuid/',
  'DELETE /v2/auth/session/',
  'PATCH /v2/account/safeguards/',
]);
const operations = routes.filter(({ method, url, upload }) => !upload && !leftAlone.has(`${method} ${url}`));
const mostKnown = 50;

/** Every HTTP operation, with addresses, queries, headers and bodies that are right in all but a few places. */
export function operationsSurface(target: Target): Surface {
  /** Values for the parameters of addresses, by the address before them: what answers have named. */
  const known = new Map<string, string[]>();

  const learn = (url: string, answer: Answer): void => {
    if (answer.status >= 300 || !String(answer.headers['content-type']).includes('json')) return;
    const body = JSON.parse(answer.text);
    const values = known.get(url) ?? [];
    for (const item of body?.results ?? [body]) {
      const value = item?.uuid ?? item?.id ?? item?.number ?? item?.name;
      if (typeof value !== 'string' && typeof value !== 'number') continue;
      values.push(encodeURIComponent(value));
      if (values.length > mostKnown) values.shift();
    }
    known.set(url, values);
  };

  return {
    name: 'operations',
    concurrency: 6,
    async attack(random) {
      const operation = random.pick(operations);
      const { method, url } = operation;
      const path = `${pathOf(random, url, known)}${queryOf(random, operation)}`;
      const body = bodyOf(random, operation);
      const headers = headersOf(random, target, body !== undefined);
      const answer = await target.ask({ method, path, headers, ...(body !== undefined && { body }) });
      if (isFault(answer.status)) {
        return `${method} ${path.slice(0, 200)} ${body?.slice(0, 500)} → ${answer.status} ${answer.text.slice(0, 300)}`;
      }
      learn(url, answer);
      return undefined;
    },
  };
}

function pathOf(random: Random, url: string, known: Map<string, string[]>): string {
  const parts = url.split('/');
  return parts
    .map((part, place) => {
      if (!part.startsWith(':')) return random.chance(0.005) ? random.pick(oddTexts) : part;
      const values = known.get(`${parts.slice(0, place).join('/')}/`) ?? [];
      return values.length > 0 && random.chance(0.8) ? random.pick(values) : random.pick(oddTexts);
    })
    .map((part) => part.replaceAll(' ', '%20'))
    .join('/');
}

function queryOf(random: Random, { query }: Operation): string {
  const names = Object.keys((query as { properties?: object } | undefined)?.properties ?? {});
  if (random.chance(0.5)) return '';
  const some = Array.from({ length: 1 + random.below(3) }, () =>
    random.chance(0.9) && names.length > 0 ? random.pick(names) : random.pick(oddTexts),
  );
  const pairs = some.map((name) => `${name}=${random.pick(oddTexts)}`.replaceAll(' ', '+'));
  return `?${pairs.join('&')}`;
}

interface BodySchema {
  properties?: object;
  oneOf?: BodySchema[];
}

const fieldsOf = ({ properties = {}, oneOf = [] }: BodySchema): string[] => [
  ...new Set([...Object.keys(properties), ...oneOf.flatMap(fieldsOf)]),
];

function bodyOf(random: Random, { body, example }: Operation): string | undefined {
  if (!body || random.chance(0.02)) return undefined;
  if (random.chance(0.3)) return JSON.stringify(example);
  const [changed] = fc.sample(badBodies(example, fieldsOf(body as BodySchema)), { seed: random.seed, numRuns: 1 });
  const text = JSON.stringify(changed) ?? '';
  return random.chance(0.03) ? text.slice(0, random.below(text.length + 1)) : text;
}

const contentTypes = ['application/json', 'application/json; charset=utf-8', 'text/plain', 'multipart/form-data', ''];

function headersOf(random: Random, target: Target, hasBody: boolean): Record<string, string> {
  const headers: Record<string, string> = {
    authorization: random.chance(0.97) ? `Token ${target.tenantToken}` : `Token ${random.pick(oddTexts)}`,
  };
  if (hasBody) headers['content-type'] = random.chance(0.95) ? 'application/json' : random.pick(contentTypes);
  if (random.chance(0.2)) headers['idempotency-key'] = random.pick(['a', 'b', 'x'.repeat(255), 'x'.repeat(256), ' ']);
  if (random.chance(0.05)) headers['accept'] = random.pick(['text/csv', '*/*;q=x', 'text/html', ',,,']);
  if (random.chance(0.02)) headers['content-encoding'] = random.pick(['gzip', 'br', 'identity', 'x']);
  if (random.chance(0.05)) headers['x-request-id'] = random.pick(oddTexts);
  if (random.chance(0.02)) headers['x-forwarded-for'] = random.pick(oddTexts);
  if (random.chance(0.02)) headers['range'] = random.pick(['bytes=0-0', 'bytes=9-1', 'bytes=-0', 'x']);
  return headers;
}
