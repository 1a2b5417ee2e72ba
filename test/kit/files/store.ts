import { existsSync } from 'node:fs';
import path from 'node:path';
import { startForeign } from '../program/foreign.ts';

const program = path.join(
  import.meta.dirname,
  '..',
  '..',
  'peers',
  'store',
  'node_modules',
  's3rver',
  'bin',
  's3rver.js',
);

/** Why tests against an S3 server are left out; false when it is there, or has to be. */
export const missingStore: string | false =
  process.env['REQUIRE_PEERS'] !== '1' && !existsSync(program) && 'needs npm ci --prefix test/peers/store';

export interface TestStore {
  /** `FILES_URL` for a part of its bucket. */
  url(prefix: string): string;
  port: number;
  stop(): Promise<void>;
}

/** An S3 server, which needs a cipher of old for its listings, with an empty bucket; on a port of its own, or on the one that another had. */
export async function startStore(directory: string, port = 0): Promise<TestStore> {
  const args = [
    '-d',
    directory,
    '-a',
    '127.0.0.1',
    '-p',
    String(port),
    '--no-vhost-buckets',
    '--configure-bucket',
    'parley',
  ];
  const server = startForeign(process.execPath, ['--openssl-legacy-provider', program, ...args]);
  const [, taken] = await server.says(/^S3rver listening on \S+:(\d+)$/);
  return {
    url: (prefix) => `s3://S3RVER:S3RVER@parley/${prefix}?endpoint=http://127.0.0.1:${taken}`,
    port: Number(taken),
    stop: () => server.stop(),
  };
}
