import * as oidc from 'openid-client';
import type { ProviderRow } from './queries.ts';

/** Who somebody is, as their provider says. */
export interface Claims {
  subject: string;
  /** In lower case; empty: the provider names none. */
  email: string;
  isVerified: boolean;
  fullName: string;
  groups: string[];
  /** Whether the provider says that it asked for a second factor. */
  hasSecondFactor: boolean;
  /** When they last proved to the provider who they are; undefined: it does not say. */
  authenticatedMs: number | undefined;
}

type Answers = Awaited<ReturnType<typeof oidc.authorizationCodeGrant>>;

/** What the ID token says, and what the UserInfo endpoint adds where something is missing there (OpenID Connect Core, 5.4). */
export async function readClaims(config: oidc.Configuration, answers: Answers, provider: ProviderRow): Promise<Claims> {
  const token = answers.claims();
  if (!token) throw new Error('The provider gave no ID token.');
  const isComplete = token['email'] !== undefined && token[provider.groups_claim] !== undefined;
  const hasMore = config.serverMetadata().userinfo_endpoint !== undefined;
  const more = isComplete || !hasMore ? {} : await oidc.fetchUserInfo(config, answers.access_token, token.sub);
  // What is signed counts for more.
  return claimsOf({ ...more, ...token }, provider);
}

export function claimsOf(claims: Record<string, unknown> & { sub: string }, provider: ProviderRow): Claims {
  const { email, name, amr, auth_time: authTime } = claims;
  return {
    subject: claims.sub,
    email: typeof email === 'string' ? email.trim().toLowerCase().slice(0, 254) : '',
    isVerified: provider.trust_email || isTrue(claims['email_verified']) || isTrue(claims['xms_edov']),
    fullName:
      typeof name === 'string'
        ? name
            .replaceAll(/\p{Cc}+/gu, ' ')
            .trim()
            .slice(0, 150)
        : '',
    groups: textsOf(claims[provider.groups_claim]),
    hasSecondFactor: provider.trust_second_factor || textsOf(amr).some((method) => secondFactors.has(method)),
    authenticatedMs: typeof authTime === 'number' ? authTime * 1000 : undefined,
  };
}

/** RFC 8176, and `ngcmfa`, which Entra ID writes. One-time codes and keys alone may be all that was asked for. */
const secondFactors = new Set(['mfa', 'ngcmfa']);

/** Some providers write truth as a text or a number. */
const isTrue = (claim: unknown): boolean => claim === true || claim === 'true' || claim === 1 || claim === '1';

const textsOf = (claim: unknown): string[] =>
  [claim].flat().filter((one): one is string => typeof one === 'string' && one !== '');
