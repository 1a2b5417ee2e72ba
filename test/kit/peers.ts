import { spawnSync } from 'node:child_process';

/**
 * Why a test against foreign programs is left out: the commands that fail here, or false when all work. With `REQUIRE_PEERS=1`
 * nothing is left out, and a test whose peer is missing fails.
 */
export function missingPeers(...commands: [string, ...string[]][]): string | false {
  if (process.env['REQUIRE_PEERS'] === '1') return false;
  const missing = commands.filter(([program, ...args]) => spawnSync(program, args, { stdio: 'ignore' }).status !== 0);
  return missing.length > 0 && `needs ${missing.map((command) => command.join(' ')).join(', ')}`;
}
