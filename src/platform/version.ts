import { readFileSync } from 'node:fs';

/** The version of Parley that runs. */
export function productVersion(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
