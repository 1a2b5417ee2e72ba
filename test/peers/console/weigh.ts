import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { followRequests } from './visit.ts';

const assets = path.join(import.meta.dirname, '..', '..', '..', '.console', 'assets');

/** What a browser asks for until the first paint of a page, also for what it finds in its cache. */
export interface Weight {
  address: string;
  /** Of JavaScript and styles, as Brotli, which browsers take over https. */
  codeBytes: number;
  /** Everything, the page itself and the stream of events included. */
  requests: number;
  /** Of these, to the API. */
  apiRequests: number;
}

/** What a browser may load for a page. */
const limits = { codeBytes: 250_000, requests: 20, apiRequests: 12 };

/** The story of a session asks for each of its messages. */
const limitsOf = (address: string): typeof limits =>
  address.includes('/sessions/') ? { ...limits, requests: 30, apiRequests: 20 } : limits;

/** The number formatter and what drags routes come after the first paint. */
const later = /\/(min|sorting)-/;

/** Loads an address in a page that has loaded nothing yet, and weighs it. */
export async function weigh(page: Page, url: string, address: string): Promise<Weight> {
  const weight: Weight = { address, codeBytes: 0, requests: 0, apiRequests: 0 };
  const settled = followRequests(page);
  // What is asked for again was told of as changed: the demo goes on while a busy machine loads the page.
  const seen = new Set<string>();
  page.on('request', (request) => {
    const { pathname: place } = new URL(request.url());
    if (later.test(place) || /^(data|blob):/.test(request.url()) || seen.has(request.url())) return;
    seen.add(request.url());
    weight.requests++;
    if (/^\/v\d\//.test(place)) weight.apiRequests++;
    if (/\.(js|css)$/.test(place)) weight.codeBytes += statSync(path.join(assets, `${path.basename(place)}.br`)).size;
  });
  await page.goto(`${url}/console${address}`);
  await settled();
  return weight;
}

/** What is too heavy, in words. */
export const excessOf = ({ address, ...weight }: Weight): string[] =>
  Object.entries(limitsOf(address))
    .filter(([name, most]) => weight[name as keyof typeof limits] > most)
    .map(([name, most]) => `${address}: ${name} ${weight[name as keyof typeof limits]}, at most ${most}`);

/** The table for the documentation. */
export const tableOf = (weights: Weight[]): string =>
  [
    '| Page | Code | Requests | Of these, API |',
    '|---|---:|---:|---:|',
    ...weights.map(
      ({ address, codeBytes, requests, apiRequests }) =>
        `| \`${address}\` | ${Math.round(codeBytes / 1000)} kB | ${requests} | ${apiRequests} |`,
    ),
  ].join('\n');

/** The pattern of each area's first page, for whoever does not want to weigh them all. */
export function firstOfAreas(): string[] {
  const source = readFileSync(path.join(assets, '..', '..', 'console', 'src', 'areas.ts'), 'utf8');
  return [...source.matchAll(/area\(\s*'([^']+)'/g)].map(([, place]) => place!);
}
