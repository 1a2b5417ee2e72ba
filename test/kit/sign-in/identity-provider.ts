import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/** Somebody as an identity provider knows them. */
export interface PersonThere {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
  groups?: string[];
  /** How they proved who they are. */
  amr?: string[];
}

/** A real OpenID provider on this machine. */
export interface TestProvider {
  issuer: string;
  client: { client_id: string; client_secret: string };
  /** Who signs in there, whoever asks. */
  person: PersonThere;
  /** Whether it shows a page with a button before it lets anybody in. */
  asks: boolean;
  /** Answers every request from now on in its place, if it answers true; to be a provider that misbehaves. */
  instead: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  close(): Promise<void>;
}

/** `redirectUris`: what the client may ask to be sent back to; those of a server whose port is not known yet can be added later. */
export async function startIdentityProvider(options: {
  redirectUris: string[];
  logoutUris?: string[];
}): Promise<TestProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = { client_id: 'parley', client_secret: 'a secret of the client, long enough' };
  const started: TestProvider = {
    issuer,
    client,
    person: { sub: 'ana' },
    asks: false,
    instead: undefined,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const provider = new Provider(issuer, {
    clients: [{ ...client, redirect_uris: options.redirectUris, post_logout_redirect_uris: options.logoutUris ?? [] }],
    claims: { openid: ['sub', 'amr'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    scopes: ['openid', 'email', 'profile', 'groups'],
    cookies: { keys: ['for the tests'] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    async findAccount(_: unknown, sub: string) {
      return { accountId: sub, claims: async () => ({ ...started.person, sub }) };
    },
    // Nobody is asked whether their employer may know their name.
    async loadExistingGrant({ oidc }: Any) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client.clientId,
        accountId: oidc.session.accountId,
      });
      grant.addOIDCScope('openid email profile groups');
      await grant.save();
      return grant;
    },
  });
  const serve = provider.callback();
  const letIn = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    await provider.interactionDetails(request, response);
    await provider.interactionFinished(request, response, { login: { accountId: started.person.sub } });
  };
  server.on('request', (request, response) => {
    if (started.instead?.(request, response)) return;
    if (!request.url?.startsWith('/interaction/')) return serve(request, response);
    if (started.asks && request.method === 'GET') {
      response.setHeader('content-type', 'text/html');
      response.end('<title>Example Corp</title><form method="post"><button>Let me in</button></form>');
      return;
    }
    letIn(request, response).catch((error: Error) => response.writeHead(500).end(error.message));
  });
  return started;
}
// biome-ignore lint/suspicious/noExplicitAny: a context of Koa, of which one field is used
type Any = any;

/** A browser without a window, which keeps cookies and goes wherever it is sent until it comes to `until`; answers that address. */
export async function follow(start: string, until: string, jar = new Map<string, string>()): Promise<URL> {
  let url = new URL(start);
  for (let steps = 0; steps < 15; steps++) {
    if (url.href.startsWith(until)) return url;
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const text of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      jar.set(name, value);
    }
    const location = answer.headers.get('location');
    if (!location) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
    url = new URL(location, url);
  }
  throw new Error(`It goes round in circles: ${url}`);
}
