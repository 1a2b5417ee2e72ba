import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Deps } from '../../../deps.ts';
import { PageOf, Timestamp, Uuid } from '../../../platform/http/openapi/models.ts';
import { nullable } from '../../../platform/http/validation/index.ts';
import { RoleName } from '../roles/schemas.ts';
import type { DomainRow, ProviderRow } from './queries.ts';

const GroupRole = Type.Object(
  {
    group: Type.String({ minLength: 1, maxLength: 300, description: 'A group, as the claim names it.' }),
    role: RoleName,
  },
  { title: 'GroupRole', description: 'The role that members of a group have.' },
);
export type GroupRole = Static<typeof GroupRole>;

const fields = {
  name: Type.String({ minLength: 1, maxLength: 100, description: 'What the button says: Continue with ….' }),
  issuer: Type.String({
    format: 'uri',
    maxLength: 500,
    pattern: '^https?://',
    'x-message': 'Enter a valid URL.',
    description:
      'The issuer, exactly as the provider writes it. `/.well-known/openid-configuration` is looked for below it. https, or http in the networks of the setting `SSO_ALLOW`.',
  }),
  client_id: Type.String({ minLength: 1, maxLength: 300, description: 'The client id that the provider gave you.' }),
  token_auth_method: Type.Enum(['client_secret_basic', 'client_secret_post'], {
    description: 'How the client secret is sent to the token endpoint.',
  }),
  scopes: Type.String({
    maxLength: 500,
    pattern: '^openid( [\\x21\\x23-\\x5B\\x5D-\\x7E]+)*$',
    'x-message': 'Enter scopes separated by spaces, openid first.',
    description: 'What is asked for, separated by spaces.',
  }),
  groups_claim: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'The claim with the groups: a list of strings, or one string.',
  }),
  group_roles: Type.Array(GroupRole, {
    maxItems: 200,
    description:
      'Roles by group; the first that fits counts. If there are any, every sign-in sets the role anew. If there are none, new users get `default_role`, and roles are yours to change.',
  }),
  default_role: nullable(
    Type.String({
      minLength: 1,
      maxLength: 50,
      description: 'The role of whoever is in none of the groups; null: they are refused.',
    }),
  ),
  domains: Type.Array(
    Type.String({
      maxLength: 253,
      pattern: '^(?=.{1,253}$)([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$',
      'x-message': 'Enter a domain such as example.com.',
    }),
    {
      maxItems: 50,
      uniqueItems: true,
      description:
        'Domains of e-mail addresses. If there are any, only these addresses are admitted, and whoever enters one on the sign-in page is offered this provider, once the domain is verified.',
    },
  ),
  create_users: Type.Boolean({
    description: 'Whether somebody who signs in for the first time becomes a user; false: they must be one already.',
  }),
  trust_email: Type.Boolean({
    description:
      'Whether addresses count as verified though the provider does not say so (`email_verified`). Only where the provider alone decides on the addresses of its users; needs `domains`.',
  }),
  trust_second_factor: Type.Boolean({
    description:
      'Whether every sign-in by this provider counts as one with a second factor; false: if the provider says so (`amr`).',
  }),
  enabled: Type.Boolean({ description: 'Nobody signs in by a provider that is not enabled.' }),
};
const secret = {
  client_secret: Type.String({
    minLength: 1,
    maxLength: 1000,
    description: 'The client secret. Stored encrypted, never shown.',
  }),
};

const { name, issuer, client_id, ...optional } = fields;
export const IdentityProviderCreate = Type.Object(
  { name, issuer, client_id, ...secret, ...Type.Partial(Type.Object(optional)).properties },
  { title: 'IdentityProviderCreate' },
);
export type IdentityProviderCreate = Static<typeof IdentityProviderCreate>;

export const IdentityProviderPatch = Type.Partial(Type.Object({ ...fields, ...secret }), {
  title: 'IdentityProviderPatch',
});
export type IdentityProviderPatch = Static<typeof IdentityProviderPatch>;

export const IdentityProvider = Type.Object(
  {
    uuid: Uuid(),
    ...fields,
    unverified_domains: Type.Array(Type.String(), {
      description: 'Those of the domains that are not verified yet, and not offered on the sign-in page.',
    }),
    domain_record: Type.String({
      description: 'The TXT record that verifies a domain, to be set at `_parley.` and the domain.',
    }),
    redirect_uri: Type.String({ description: 'The redirect URI to register with the provider.' }),
    post_logout_redirect_uri: Type.String({
      description: 'The redirect URI after signing out to register with the provider.',
    }),
    sign_in_url: Type.String({ description: 'Begins to sign in by this provider, for bookmarks and app launchers.' }),
    last_error: Type.String({ description: 'Why the last sign-in failed; empty: it did not.' }),
    last_error_at: nullable(Timestamp('When it failed.')),
    last_sign_in: nullable(Timestamp('When somebody last signed in by it.')),
    created: Timestamp(),
    modified: Timestamp(),
  },
  { title: 'IdentityProvider' },
);
export const IdentityProviderPage = PageOf(IdentityProvider, 'IdentityProviderPage');

export const IdentityProviderTest = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether nothing is wrong.' }),
    problems: Type.Array(Type.String(), { description: 'What is wrong, in sentences.' }),
    authorization_endpoint: nullable(Type.String({ description: 'Where browsers are sent to sign in.' })),
    token_endpoint: nullable(Type.String({ description: 'Where the server asks for tokens.' })),
    end_session_endpoint: nullable(
      Type.String({ description: 'Where browsers are sent to sign out; null: the provider has none.' }),
    ),
  },
  { title: 'IdentityProviderTest' },
);

export const SsoDiscovery = Type.Object(
  {
    email: Type.String({
      maxLength: 254,
      pattern: '^[^@\\s]+@[^@\\s]+$',
      'x-message': 'Enter a valid email address.',
      description: 'The address of whoever wants to sign in; its domain decides.',
    }),
  },
  { title: 'SsoDiscovery' },
);
export const SsoProviders = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        { uuid: Uuid(), name: Type.String({ description: 'Its name, for a button.' }) },
        { title: 'SsoProvider', description: 'A provider that people of that domain sign in by.' },
      ),
      { description: 'None: they sign in with a password.' },
    ),
  },
  { title: 'SsoProviders' },
);
export const SsoStart = Type.Object(
  {
    provider: Uuid('The identity provider.'),
    return_to: Type.Optional(
      Type.String({
        maxLength: 1000,
        // Below the console, and nowhere else: neither `//host` nor `/\\host`.
        pattern: '^/(?![/\\\\])[^\\x00-\\x20\\\\]*$',
        'x-message': 'Enter a path of the console.',
        description: 'The page of the console to show afterwards, such as `/messages`.',
      }),
    ),
    reauthenticate: Type.Optional(
      Type.Boolean({
        description: 'Whether the provider is to ask for the password again, also of whoever is signed in there.',
      }),
    ),
  },
  { title: 'SsoStart' },
);
export type SsoStart = Static<typeof SsoStart>;
export const SsoStarted = Type.Object(
  { authorization_url: Type.String({ description: 'Where to send the browser.' }) },
  { title: 'SsoStarted' },
);
export const SsoSignedOut = Type.Object(
  {
    logout_url: nullable(
      Type.String({ description: 'Where to send the browser to sign out of the provider, too; null: nowhere.' }),
    ),
  },
  { title: 'SsoSignedOut' },
);

export const redirectUriOf = (server: string): string => `${server}/v2/auth/sso/callback/`;
export const consoleOf = (server: string): string => `${server}/console/`;

export const domainRecord = (accountId: string): string => `parley-account=${accountId}`;

export const presentProvider = (row: ProviderRow, domains: DomainRow[], server: string) => ({
  uuid: row.uuid,
  name: row.name,
  issuer: row.issuer,
  client_id: row.client_id,
  token_auth_method: row.token_auth_method,
  scopes: row.scopes,
  groups_claim: row.groups_claim,
  group_roles: row.group_roles,
  default_role: row.default_role,
  domains: domains.map(({ domain }) => domain),
  create_users: row.create_users,
  trust_email: row.trust_email,
  trust_second_factor: row.trust_second_factor,
  enabled: row.enabled,
  unverified_domains: domains.filter(({ verified }) => verified === null).map(({ domain }) => domain),
  domain_record: domainRecord(row.account_id),
  redirect_uri: redirectUriOf(server),
  post_logout_redirect_uri: consoleOf(server),
  sign_in_url: `${consoleOf(server)}?sso=${row.uuid}`,
  last_error: row.last_error,
  last_error_at: row.last_error_at,
  last_sign_in: row.last_sign_in,
  created: row.created,
  modified: row.modified,
});

/** Where the outside world finds this server, without a slash at the end: PUBLIC_URL, else what the browser asked. */
export function serverOf({ config }: Pick<Deps, 'config'>, { protocol, host }: FastifyRequest): string {
  if (config.PUBLIC_URL !== '') return config.PUBLIC_URL.replace(/\/+$/, '');
  return URL.parse(`${protocol}://${host}`)?.origin ?? 'http://localhost';
}
