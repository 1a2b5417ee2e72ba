/** The operator's own database, by the client programs of PostgreSQL that are on this machine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { Complaint } from '../terminal.ts';

export interface DumpOptions {
  url: string;
  file: string;
  searchPath: string | undefined;
}

const advice =
  'Install the PostgreSQL client (Debian: postgresql-client) of the version of the server or newer, or use what backs your server up.';

/** Writes the database to a file, as it is at one moment. */
export const dumpDatabase = ({ url, file, searchPath }: DumpOptions): Promise<void> =>
  runTool('pg_dump', ['--format=custom', '--no-owner', '--no-acl', `--file=${file}`], { url, searchPath });

/** Reads it into an empty database: all of it or nothing. */
export const restoreDump = ({ url, file, searchPath }: DumpOptions): Promise<void> =>
  runTool('pg_restore', ['--no-owner', '--no-acl', '--exit-on-error', '--single-transaction', file], {
    url,
    searchPath,
  });

/** The password goes by the environment: arguments are seen by everybody on the machine. */
async function runTool(program: string, args: string[], { url, searchPath }: Omit<DumpOptions, 'file'>): Promise<void> {
  const [, start = '', password] = /^(postgres(?:ql)?:\/\/[^:@/?]*):([^@/]*)@/.exec(url) ?? [];
  const plainUrl = password === undefined ? url : url.replace(`${start}:${password}@`, `${start}@`);
  const env = {
    PATH: searchPath,
    LC_ALL: 'C',
    PGCONNECT_TIMEOUT: '10',
    ...(password !== undefined && { PGPASSWORD: decodeURIComponent(password) }),
  };
  const child = spawn(program, [`--dbname=${plainUrl}`, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const complaint = text(child.stderr);
  const [code] = await once(child, 'close').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new Complaint(`${program} is not on this machine. ${advice}`);
    throw error;
  });
  if (code === 0) return;
  const said = (await complaint).trim();
  if (/server version mismatch|unsupported version/.test(said)) {
    throw new Complaint(`${program} is older than the server or the backup. ${advice}`);
  }
  const reason = said.split('\n')[0]?.replace(/^pg_\w+: (error: )?/, '') || `code ${code}`;
  throw new Complaint(`${program} failed: ${reason}`);
}
