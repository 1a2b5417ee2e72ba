import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { message, messagesPath, recipientDigits } from './message.ts';
import { startChild } from './processes.ts';
import { root, type Server } from './server.ts';

export const connections = 64;

/** Programs that make load: for wrk, and what does the same where there is none. */
export const generators = path.join(root, 'bench', 'generators');

/** What the load generator saw. */
export interface Load {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Answers other than 2xx, and requests without an answer. */
  failed: number;
}

/** wrk takes a small part of the machine that Node would need; autocannon is always there. */
export const findGenerator = (): Promise<'wrk' | 'autocannon'> =>
  promisify(execFile)('wrk', ['-v']).then(
    () => 'wrk',
    // `wrk -v` tells its version and exits 1.
    (error) => (error.code === 'ENOENT' ? 'autocannon' : 'wrk'),
  );

/** Posts messages for so many seconds, from a process of its own. */
export async function postMessages(
  scope: AsyncDisposableStack,
  server: Server,
  seconds: number,
  over = connections,
): Promise<Load> {
  const url = `${server.url}${messagesPath}`;
  const body = JSON.stringify(message);
  return (await findGenerator()) === 'wrk'
    ? runWrk(scope, 'post-message.lua', url, [server.token, body, recipientDigits], seconds, over)
    : runAutocannon(scope, url, server.token, body, seconds, over);
}

/** Runs wrk with a script of ours, which may add to what is told. */
export function runWrk<L extends Load>(
  scope: AsyncDisposableStack,
  script: string,
  url: string,
  args: string[],
  seconds: number,
  over = connections,
): Promise<L> {
  const options = ['-t1', `-c${over}`, `-d${seconds}s`, '-s', path.join(generators, script)];
  return runGenerator(scope, ['wrk', ...options, url, '--', ...args]);
}

/** Runs a program that ends with a line `RESULT` and what it saw. */
export async function runGenerator<L extends Load>(
  scope: AsyncDisposableStack,
  command: [string, ...string[]],
): Promise<L> {
  const output = await finish(scope, command);
  const result = /^RESULT (.*)$/m.exec(output)?.[1] ?? fail(command[0], output);
  const { seconds, ...load } = JSON.parse(result);
  return { requestsPerSecond: load.requests / seconds, ...load };
}

/** Without different recipients: its own replacement of parts of a body makes no digits. */
async function runAutocannon(
  scope: AsyncDisposableStack,
  url: string,
  token: string,
  body: string,
  seconds: number,
  over: number,
): Promise<Load> {
  const program = path.join(root, 'node_modules', 'autocannon', 'autocannon.js');
  const headers = ['-H', `authorization=Token ${token}`, '-H', 'content-type=application/json'];
  const options = ['-j', '-c', String(over), '-d', String(seconds), '-m', 'POST', ...headers, '-b', body];
  const output = await finish(scope, [process.execPath, program, ...options, url]);
  const { requests, latency, non2xx, errors } = JSON.parse(/^\{.*\}$/m.exec(output)?.[0] ?? fail('autocannon', output));
  return { requestsPerSecond: requests.average, p50Ms: latency.p50, p99Ms: latency.p99, failed: non2xx + errors };
}

async function finish(scope: AsyncDisposableStack, command: [string, ...string[]]): Promise<string> {
  const child = startChild(scope, command, {});
  await child.exited;
  return child.lastWords();
}

function fail(program: string, output: string): never {
  throw new Error(`${program} gave no result: ${output}`);
}
