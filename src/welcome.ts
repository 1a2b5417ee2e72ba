import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, originOf } from './platform/config.ts';
import type { FirstSecrets } from './platform/process/parts.ts';

export interface Welcome {
  config: Config;
  port: number;
  first: FirstSecrets;
}

/**
 * What is printed when the server is up. With PRINT_SECRETS=terminal, secrets that were just made do not get into output that somebody
 * keeps: they are written to a file, whose path is printed.
 */
export async function greet(given: Welcome, isTerminal = process.stdout.isTTY === true): Promise<string> {
  const { config, first } = given;
  const isPrivate = config.PRINT_SECRETS === 'terminal' && !isTerminal;
  const hasSecrets = first.user !== undefined || (first.token !== undefined && !config.BOOTSTRAP_TOKEN);
  if (!isPrivate || (!hasSecrets && !first.token)) return welcome(given);
  const plain = welcome({ ...given, first: {} });
  if (!hasSecrets) return plain;
  const file = join(config.dataDir, 'first-secrets');
  const lines = [
    ...(first.token && !config.BOOTSTRAP_TOKEN ? [`token ${first.token}`] : []),
    ...(first.user ? [`username ${first.user.username}`, `password ${first.user.password}`] : []),
  ];
  await mkdir(config.dataDir, { recursive: true });
  await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  // The mode above is for a new file; one that was there keeps its own.
  await chmod(file, 0o600);
  return `${plain}\nThe first secrets are in ${file}. Keep them elsewhere, and delete it.\n`;
}

/** What the person at the terminal reads when the server is up. Secrets are shown when they were just made, and never again. */
export function welcome({ config, port, first }: Welcome): string {
  const url = originOf({ ...config, PORT: port });
  const { token } = first;
  const origin = config.BOOTSTRAP_TOKEN
    ? 'as set in BOOTSTRAP_TOKEN'
    : 'as shown at the first start (or set BOOTSTRAP_TOKEN)';
  const once = config.BOOTSTRAP_TOKEN
    ? 'Keep the password: it is shown this once.'
    : 'Keep both: they are shown this once.';
  const lines = [
    '',
    'Parley is ready.',
    '',
    ...(config.roles.has('console') ? [`  Console ${url}/console/`] : []),
    `  API     ${url}`,
    `  Docs    ${url}/docs`,
    `  Token   ${token ?? origin}`,
    ...(first.user ? [`  User    ${first.user.username}, password ${first.user.password}`, '', once] : []),
    '',
    'Send a message and watch it go from QUEUED to READ:',
    '',
    `  curl -s ${url}/v2/chatapp/messages/ -H 'Authorization: Token ${token ?? '<token>'}' -H 'Content-Type: application/json' \\`,
    `    -d '{"chatapp_number":"+447700900001","to_chatapp_number":"+447700900123","type":"TEMPLATE","template":{"template_name":"welcome"}}'`,
    '',
    `  curl -s ${url}/v2/chatapp/messages/ -H 'Authorization: Token ${token ?? '<token>'}'`,
    '',
  ];
  return lines.join('\n');
}
