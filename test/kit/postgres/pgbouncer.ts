import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { missingPeers } from '../peers.ts';
import { freePorts } from '../program/foreign.ts';
import type { PairedServer } from './postgres-pair.ts';

/** Why tests with PgBouncer are left out; false when it is there, or has to be. */
export const missingPgBouncer = missingPeers(['which', 'pgbouncer']);

export interface PgBouncer {
  /** `host:port` */
  address: string;
  url: string;
  stop(): Promise<void>;
}

const nobody = 65_534;

/** PgBouncer in transaction mode before one server. */
export async function startPgBouncer(server: PairedServer, poolSize: number): Promise<PgBouncer> {
  // Not in the directory of the tests: it refuses to run as root, and nobody else may look into that.
  const directory = await mkdtemp('/tmp/parley-pgbouncer-');
  const [port] = (await freePorts(1)) as [number];
  const { username, password, pathname } = new URL(server.url);
  const name = pathname.slice(1);
  await writeFile(path.join(directory, 'users.txt'), `"${username}" "${decodeURIComponent(password)}"\n`);
  await writeFile(
    path.join(directory, 'pgbouncer.ini'),
    `[databases]
${name} = host=${server.address} port=5432 dbname=${name}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${directory}/users.txt
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 400
`,
  );
  await chmod(directory, 0o755);
  const bouncer = spawn('pgbouncer', ['-q', path.join(directory, 'pgbouncer.ini')], {
    stdio: ['ignore', 'ignore', 'ignore'],
    env: { PATH: `${process.env['PATH']}:/usr/sbin` },
    ...(process.getuid?.() === 0 && { uid: nobody, gid: nobody }),
  });
  await once(bouncer, 'spawn');
  const address = `127.0.0.1:${port}`;
  return {
    address,
    url: `postgresql://${username}:${password}@${address}/${name}`,
    async stop() {
      bouncer.kill('SIGTERM');
      if (bouncer.exitCode === null && bouncer.signalCode === null) await once(bouncer, 'exit');
      await rm(directory, { recursive: true, force: true });
    },
  };
}
