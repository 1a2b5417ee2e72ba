import type { Api } from './api.ts';

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
