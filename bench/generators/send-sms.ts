// node bench/generators/send-sms.ts <url> <seconds> <connections> <digits> [<token> <body>]: what send-sms.lua does, where there is no wrk.
import { createRequire } from 'node:module';

// It comes without types.
const autocannon = createRequire(import.meta.url)('autocannon');
const [url, seconds, connections, digits, token, body] = process.argv.slice(2) as [string, ...string[]];
const { pathname, search } = new URL(url);
let count = 0;

const next = (request: object): object => {
  const others = String(++count).padStart(digits!.length, '0');
  if (body === undefined) return { ...request, path: `${pathname}${search}`.replace(digits!, others) };
  const headers = { authorization: `Token ${token}`, 'content-type': 'application/json' };
  return { ...request, method: 'POST', headers, body: body.replace(digits!, others) };
};

const { requests, latency, duration, non2xx, errors } = await autocannon({
  url,
  duration: Number(seconds),
  connections: Number(connections),
  requests: [{ setupRequest: next }],
});
const seen = { p50Ms: latency.p50, p99Ms: latency.p99, failed: non2xx + errors };
console.log(`RESULT ${JSON.stringify({ requests: requests.total, seconds: duration, ...seen })}`);
