import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { link, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isAlive } from './processes.ts';

/** Where an embedded PostgreSQL lives on disk. */
export interface Home {
  directory: string;
  pgdata: string;
  logFile: string;
  password: string;
}

/** A socket's path may have 103 bytes on macOS, 107 on Linux; the directory leaves room for `/.s.PGSQL.5432`. */
const longestSocketDirectory = 103 - '/.s.PGSQL.5432'.length;
const runtimePrefix = 'parley-pg-';
const runtimeName = /^parley-pg-(\d+)-/;
const largestLogBytes = 10_000_000;

/** Opens the directory, making it and its password at the first start. */
export async function openHome(directory: string): Promise<Home> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const logFile = path.join(directory, 'postgres.log');
  const size = await stat(logFile).then(
    (file) => file.size,
    () => 0,
  );
  if (size > largestLogBytes) await rename(logFile, `${logFile}.1`);
  return { directory, pgdata: path.join(directory, 'pgdata'), logFile, password: await keepPassword(directory) };
}

/** A private directory with a short path, for the socket and what else lasts as long as the server. */
export interface RuntimeDirectory {
  path: string;
  remove(): Promise<void>;
}

/**
 * Makes one; it goes when removed or, at the latest, when this process exits. A kill leaves it behind, so its name is
 * written down for the next start.
 */
export async function makeRuntimeDirectory({ directory: home }: Home): Promise<RuntimeDirectory> {
  const record = path.join(home, 'postgres-runtime');
  await removeLeftBehind(await readFile(record, 'utf8').catch(() => ''));
  const prefix = `${runtimePrefix}${process.pid}-`;
  // Root's own temporary directory may be closed to the user that PostgreSQL runs as.
  const unfit = process.getuid?.() === 0 || path.join(os.tmpdir(), `${prefix}XXXXXX`).length > longestSocketDirectory;
  const parent = unfit && process.platform !== 'win32' ? '/tmp' : os.tmpdir();
  const directory = await mkdtemp(path.join(parent, prefix));
  const removeAtExit = () => rmSync(directory, { recursive: true, force: true });
  process.once('exit', removeAtExit);
  await writeFile(record, directory);
  const remove = async () => {
    process.off('exit', removeAtExit);
    await rm(directory, { recursive: true, force: true });
    await rm(record, { force: true });
  };
  return { path: directory, remove };
}

async function removeLeftBehind(directory: string): Promise<void> {
  const [, maker] = runtimeName.exec(path.basename(directory)) ?? [];
  if (!maker || isAlive(Number(maker))) return;
  await rm(directory, { recursive: true, force: true });
}

/** Two first starts at once must agree on one password, so the file appears whole or not at all. */
async function keepPassword(directory: string): Promise<string> {
  const file = path.join(directory, 'postgres-password');
  const known = await readFile(file, 'utf8').catch((error) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (known !== undefined) return known.trim();
  const draft = `${file}.new-${process.pid}`;
  await writeFile(draft, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
  await link(draft, file).catch((error) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  return keepPassword(directory);
}
