import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from './api.ts';
import { Complaint } from './terminal.ts';

interface Tenant {
  uuid: string;
  name: string;
  status: string;
  default_country: string;
  time_zone: string;
  limits: Record<string, number>;
  usage: { storage_bytes: number };
  created: string;
}

interface Output {
  json?: boolean;
}

export interface LimitOptions {
  requestsPerMinute?: number | 'default';
  storageBytes?: number | 'default';
}

const url = '/v2/accounts/';
const addressOf = (uuid: string): string => `${url}${encodeURIComponent(uuid)}/`;
const lookMs = 1000;

export async function listAccounts(api: Api, { status, json }: Output & { status?: string }): Promise<void> {
  const all: Tenant[] = [];
  let path: string | null =
    `${url}?page_size=200&ordering=created${status ? `&status=${encodeURIComponent(status)}` : ''}`;
  while (path) {
    const page: { next: string | null; results: Tenant[] } = await api.call('GET', path, undefined, {
      repeatable: true,
    });
    all.push(...page.results);
    path = page.next && new URL(page.next).pathname + new URL(page.next).search;
  }
  if (json) return console.log(JSON.stringify(all));
  for (const { uuid, status, name } of all) console.log(`${uuid}  ${status.padEnd(9)}  ${name}`);
}

export async function createAccount(
  api: Api,
  name: string,
  { country, timeZone, json, ...limits }: Output & LimitOptions & { country?: string; timeZone?: string },
): Promise<void> {
  const account: Tenant = await api.call('POST', url, {
    name,
    ...(country && { default_country: country }),
    ...(timeZone && { time_zone: timeZone }),
    limits: changedLimits({}, limits),
  });
  show(account, json);
}

export async function showAccount(api: Api, uuid: string, { json }: Output): Promise<void> {
  show(await api.call('GET', addressOf(uuid), undefined, { repeatable: true }), json);
}

/** Those that are not named stay; `default` takes one away. */
export async function limitAccount(api: Api, uuid: string, { json, ...change }: Output & LimitOptions): Promise<void> {
  if (change.requestsPerMinute === undefined && change.storageBytes === undefined) {
    throw new Complaint('Name a limit: --requests-per-minute or --storage-bytes.', 2);
  }
  const { limits }: Tenant = await api.call('GET', addressOf(uuid), undefined, { repeatable: true });
  show(await api.call('PATCH', addressOf(uuid), { limits: changedLimits(limits, change) }), json);
}

function changedLimits(
  before: Record<string, number>,
  { requestsPerMinute, storageBytes }: LimitOptions,
): Record<string, number> {
  const wanted = { requests_per_minute: requestsPerMinute, storage_bytes: storageBytes };
  const after: Record<string, number> = { ...before };
  for (const [name, value] of Object.entries(wanted)) {
    if (value === 'default') delete after[name];
    else if (value !== undefined) after[name] = value;
  }
  return after;
}

export async function setAccountStanding(
  api: Api,
  uuid: string,
  verb: 'suspend' | 'resume',
  { json }: Output,
): Promise<void> {
  show(await api.call('POST', `${addressOf(uuid)}${verb}/`), json);
}

export async function createAccountToken(
  api: Api,
  uuid: string,
  { name, scope, json }: Output & { name?: string; scope?: string[] },
): Promise<void> {
  const token: { uuid: string; scopes: string[]; token: string } = await api.call('POST', `${addressOf(uuid)}tokens/`, {
    ...(name && { name }),
    ...(scope && { scopes: scope }),
  });
  // On standard output the secret alone, so that a script can take it.
  if (!json) console.error(`Made ${token.uuid} (${token.scopes.join(', ')}). Its secret is shown this once:`);
  console.log(json ? JSON.stringify(token) : token.token);
}

interface Job {
  id: string;
  status: string;
  progress: { done: number; total: number | null };
  result: Record<string, number> | null;
  reason: string;
}

/** Deletes an account whose name the caller can say, and waits for the end of the job. */
export async function deleteAccount(
  api: Api,
  uuid: string,
  { confirm, wait, json }: Output & { confirm: string; wait: boolean },
): Promise<void> {
  const { name }: Tenant = await api.call('GET', addressOf(uuid), undefined, { repeatable: true });
  if (name !== confirm)
    throw new Complaint(`The account is called "${name}", and not "${confirm}". Nothing was done.`, 2);
  const { id }: { id: string } = await api.call('DELETE', addressOf(uuid), undefined, { repeatable: true });
  const look = (): Promise<Job> => api.call('GET', `/v3/jobs/${id}/`, undefined, { repeatable: true });
  let job = await look();
  while (wait && (job.status === 'QUEUED' || job.status === 'RUNNING')) {
    await sleep(lookMs);
    job = await look();
    if (!json) console.error(`${job.progress.done} of ${job.progress.total ?? '?'} tables`);
  }
  if (job.status === 'FAILED') throw new Complaint(job.reason);
  console.log(json ? JSON.stringify(job) : `Job ${id}: ${job.status}${told(job.result)}.`);
}

const told = (result: Job['result']): string =>
  result === null
    ? ''
    : `, ${result['rows'] ?? 0} rows, ${result['files'] ?? 0} files, ${result['numbers'] ?? 0} numbers`;

function show(account: Tenant, json: boolean | undefined): void {
  if (json) {
    console.log(JSON.stringify(account));
    return;
  }
  const { uuid, name, status, default_country, time_zone, limits, usage, created } = account;
  const limitText = Object.entries(limits).map(([limit, value]) => `${limit} ${value}`);
  console.log(`${name}
  uuid     ${uuid}
  status   ${status}
  country  ${default_country}, ${time_zone}
  limits   ${limitText.join(', ') || 'those of the server'}
  files    ${usage.storage_bytes} bytes
  created  ${created}`);
}

interface Token {
  uuid: string;
  name: string;
  /** API: of a program; SESSION: of somebody who is signed in with a browser. */
  kind: string;
  scopes: string[];
  expires: string | null;
  created: string;
}

export async function listTokens(api: Api, { json }: { json?: boolean }): Promise<void> {
  const tokens: Token[] = [];
  let path: string | null = '/v2/auth/tokens/?page_size=200&ordering=created';
  while (path) {
    const page: { next: string | null; results: Token[] } = await api.call('GET', path, undefined, {
      repeatable: true,
    });
    tokens.push(...page.results);
    path = page.next && new URL(page.next).pathname + new URL(page.next).search;
  }
  if (json) return console.log(JSON.stringify(tokens));
  for (const { uuid, name, kind, scopes, expires } of tokens) {
    console.log(
      `${uuid}  ${kind.padEnd(7)}  ${scopes.join(',').padEnd(24)}  ${expires ? `until ${expires.slice(0, 16)}Z` : 'for ever'.padEnd(23)}  ${name}`,
    );
  }
}

export async function createToken(
  api: Api,
  name: string,
  { scope, expires, json }: { scope?: string[]; expires?: string; json?: boolean },
): Promise<void> {
  const token: Token & { token: string } = await api.call('POST', '/v2/auth/tokens/', {
    name,
    ...(scope && { scopes: scope }),
    ...(expires && { expires }),
  });
  // On standard output the secret alone, so that a script can take it.
  if (!json) console.error(`Made ${token.uuid} (${token.scopes.join(', ')}). Its secret is shown this once:`);
  console.log(json ? JSON.stringify(token) : token.token);
}

export async function revokeToken(api: Api, uuid: string, { json }: { json?: boolean }): Promise<void> {
  await api.call('DELETE', `/v2/auth/tokens/${encodeURIComponent(uuid)}/`);
  console.log(json ? JSON.stringify({ revoked: uuid }) : `Revoked ${uuid}.`);
}
