// node bench/generators/open-links.ts <url> <file> <first> <user agent> <seconds> <connections>: what open-links.lua does, where there is no wrk.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

// It comes without types.
const autocannon = createRequire(import.meta.url)('autocannon');
const [url, file, first, userAgent, seconds, connections] = process.argv.slice(2) as [string, ...string[]];
const codes = readFileSync(file!, 'utf8').trimEnd().split('\n');
let used = 0;

const next = (request: object): object => ({
  ...request,
  path: `/l/${codes[(Number(first) + used++) % codes.length]}`,
  headers: { 'user-agent': userAgent, accept: 'text/html' },
});

const { requests, latency, duration, errors, ...answers } = await autocannon({
  url,
  duration: Number(seconds),
  connections: Number(connections),
  requests: [{ setupRequest: next }],
});
const result = {
  requests: requests.total,
  seconds: duration,
  p50Ms: latency.p50,
  p99Ms: latency.p99,
  failed: errors + answers['4xx'] + answers['5xx'],
  used,
};
console.log(`RESULT ${JSON.stringify(result)}`);
