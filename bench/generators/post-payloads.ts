// node bench/generators/post-payloads.ts <url> <file> <first> <most> <seconds> <connections>: what post-payloads.lua does, without wrk.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

// It comes without types.
const autocannon = createRequire(import.meta.url)('autocannon');
const [url, file, ...numbers] = process.argv.slice(2) as [string, string, ...string[]];
const [first, most, seconds, connections] = numbers.map(Number) as [number, number, number, number];
const payloads = readFileSync(file, 'utf8')
  .trimEnd()
  .split('\n')
  .slice(first, first + most);
let used = 0;

const next = (request: object): object => {
  const [, signature, body] = /^(\S+) (.*)$/.exec(payloads[used++ % payloads.length]!)!;
  return { ...request, body, headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature } };
};

const { requests, latency, non2xx, errors, duration } = await autocannon({
  url,
  duration: seconds,
  connections,
  method: 'POST',
  requests: [{ setupRequest: next }],
});
const result = {
  requests: requests.total,
  seconds: duration,
  p50Ms: latency.p50,
  p99Ms: latency.p99,
  failed: non2xx + errors,
  used,
};
console.log(`RESULT ${JSON.stringify(result)}`);
