import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Config } from '../config.ts';
import { StartError } from '../errors.ts';

type Source = Pick<
  Config,
  'SECRET_KEY' | 'SECRET_KEYS' | 'SECRET_KEYS_COMMAND' | 'SECRET_KEYS_URL' | 'SECRET_KEYS_TOKEN' | 'dataDir'
>;

const deadlineMs = 10_000;
const mostBytes = 65_536;
const tries = 3;
const run = promisify(execFile);

/** Where the ring is set; `file`: nowhere, and it is the key that the first start wrote to DATA_DIR. */
export function ringSource(
  config: Source,
): 'SECRET_KEYS' | 'SECRET_KEYS_COMMAND' | 'SECRET_KEYS_URL' | 'SECRET_KEY' | 'file' {
  const names = ['SECRET_KEYS', 'SECRET_KEYS_COMMAND', 'SECRET_KEYS_URL', 'SECRET_KEY'] as const;
  const set = names.filter((name) => config[name] !== '');
  if (set.length > 1)
    throw new StartError(`${set.join(' and ')} are set. Keep one: the other keys go to the end of the ring.`);
  return set[0] ?? 'file';
}

/** The operator's keys, the newest first. Without any, one is made and kept beside the data, if `isMade` allows. */
export async function readRing(config: Source, isMade = true): Promise<string[]> {
  switch (ringSource(config)) {
    case 'SECRET_KEY':
      return [config.SECRET_KEY];
    case 'SECRET_KEYS':
      return checked('SECRET_KEYS', config.SECRET_KEYS.split(','));
    case 'SECRET_KEYS_COMMAND':
      return checked('SECRET_KEYS_COMMAND', await runCommand(config.SECRET_KEYS_COMMAND));
    case 'SECRET_KEYS_URL':
      return checked('SECRET_KEYS_URL', await askService(config));
    case 'file':
      return readKeyFile(config.dataDir, isMade);
  }
}

function checked(name: string, texts: readonly string[]): string[] {
  const keys = texts.map((text) => text.trim()).filter((text) => text !== '');
  if (keys.length === 0) throw new StartError(`${name} gives no key.`);
  if (new Set(keys).size < keys.length) throw new StartError(`${name} has the same key twice.`);
  return keys;
}

/** A file of one line is the key as it is; of several lines each is a key. */
async function readKeyFile(dataDir: string, isMade: boolean): Promise<string[]> {
  const file = join(dataDir, 'secret-key');
  if (isMade) {
    await mkdir(dataDir, { recursive: true });
    // `wx`: of two processes that start together one writes, both read the same.
    await writeFile(file, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 }).catch(() => {});
  }
  const text = isMade ? await readFile(file, 'utf8') : await readFile(file, 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length <= 1) return text === '' ? [] : [text];
  const keys = checked(file, lines);
  // An old one that was written with a newline has it in the key.
  return text.endsWith('\n') ? [...keys, `${keys.at(-1)}\n`] : keys;
}

async function runCommand(command: string): Promise<string[]> {
  const [program, ...before] = process.platform === 'win32' ? ['cmd.exe', '/d', '/c'] : ['/bin/sh', '-c'];
  try {
    const { stdout } = await run(program!, [...before, command], { timeout: deadlineMs, maxBuffer: mostBytes });
    return linesOf(stdout);
  } catch (error) {
    // The message of the error has the command, which may hold a secret.
    const { code, killed, stderr } = error as { code?: number | string; killed?: boolean; stderr?: string };
    const why = killed ? `took longer than ${deadlineMs / 1000} s` : `failed (${code})`;
    throw new StartError(`The command of SECRET_KEYS_COMMAND ${why}. ${(stderr ?? '').trim().slice(0, 500)}`.trim());
  }
}

async function askService({ SECRET_KEYS_URL, SECRET_KEYS_TOKEN }: Source): Promise<string[]> {
  const headers = SECRET_KEYS_TOKEN === '' ? {} : { authorization: `Bearer ${SECRET_KEYS_TOKEN}` };
  let why = '';
  for (let attempt = 1; attempt <= tries; attempt++) {
    if (attempt > 1) await sleep(1000 * attempt);
    try {
      const signal = AbortSignal.timeout(deadlineMs);
      const answer = await fetch(SECRET_KEYS_URL, { headers, signal, redirect: 'error' });
      const text = await answer.text();
      if (answer.ok && text.length <= mostBytes) return linesOf(text);
      why = answer.ok ? 'sent too much' : `answered ${answer.status}`;
      if (answer.status < 500) break;
    } catch (error) {
      if (error instanceof StartError) throw error;
      const { name, cause } = error as { name: string; cause?: { code?: string } };
      why =
        name === 'TimeoutError'
          ? `took longer than ${deadlineMs / 1000} s`
          : `cannot be reached (${cause?.code ?? name})`;
    }
  }
  throw new StartError(`The key service of SECRET_KEYS_URL ${why}.`);
}

/** One key in each line; or JSON, `{"keys": ["…"]}`. */
function linesOf(text: string): string[] {
  if (!text.trimStart().startsWith('{')) return text.split('\n');
  try {
    const { keys } = JSON.parse(text) as { keys?: unknown };
    if (Array.isArray(keys) && keys.every((key) => typeof key === 'string')) return keys;
  } catch {
    // Said below, without what was sent.
  }
  throw new StartError('What gives the ring sent JSON other than {"keys": ["…"]}.');
}
