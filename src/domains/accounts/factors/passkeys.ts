import { isIP } from 'node:net';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { ValidationError } from '../../../platform/errors.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import { putChallenge, takeChallenge } from './challenges.ts';
import {
  findPasskeyAnyAccount,
  listPasskeys,
  type NewPasskey,
  notePasskeyUse,
  type PasskeyRow,
  type Person,
} from './queries.ts';

/** Of COSE: EdDSA, ES256, RS256. */
const algorithms = [-8, -7, -257];

type Means = Pick<Deps, 'db' | 'clock' | 'config' | 'running'>;

/** Read when the first passkey comes: it brings all of X.509, which every start would wait for. */
const readWebAuthn = () => import('@simplewebauthn/server');

/** What a browser needs to make a passkey. It must verify the user: then it is as good as a password and a second factor. */
export async function offerRegistration(
  deps: Means,
  { username, ...person }: Person & { username: string },
  request: FastifyRequest,
) {
  const { id: rpID } = relyingPartyOf(request, deps.config.PUBLIC_URL);
  const known = await listPasskeys(deps.db, person);
  const { generateRegistrationOptions } = await readWebAuthn();
  const options = await generateRegistrationOptions({
    rpName: 'Parley',
    rpID,
    userName: username,
    userID: new TextEncoder().encode(person.userId),
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: known.map(({ credential_id, transports }) => ({
      id: credential_id,
      transports: transports as never,
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  await putChallenge(deps, 'passkey-registration', { secret: options.challenge, data: { ...person, rpID }, request });
  return options;
}

/** What a browser made of such an offer, checked. */
export async function readRegistration(
  deps: Means,
  person: Person,
  { name, credential, request }: { name: string; credential: unknown; request: FastifyRequest },
): Promise<NewPasskey> {
  const response = credential as RegistrationResponseJSON;
  const { id: expectedRPID, origins } = relyingPartyOf(request, deps.config.PUBLIC_URL);
  const expectedChallenge = challengeIn(response.response.clientDataJSON);
  const offered = await takeChallenge<Person & { rpID: string }>(deps, 'passkey-registration', expectedChallenge);
  const isOurs =
    offered?.userId === person.userId && offered.accountId === person.accountId && offered.rpID === expectedRPID;
  if (!isOurs) throw refused('credential');
  const { verifyRegistrationResponse } = await readWebAuthn();
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge,
    expectedOrigin: origins,
    expectedRPID,
    supportedAlgorithmIDs: algorithms,
  }).catch(() => ({ verified: false, registrationInfo: undefined }));
  if (!verified || !registrationInfo) throw refused('credential');
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
  return {
    name,
    credential_id: id,
    public_key: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: transports.map(String).slice(0, 10),
    rp_id: expectedRPID,
  };
}

/** What a browser needs to sign in with whichever passkey its user chooses. */
export async function offerPasskeySignIn(deps: Means, request: FastifyRequest) {
  const { id: rpID } = relyingPartyOf(request, deps.config.PUBLIC_URL);
  const { generateAuthenticationOptions } = await readWebAuthn();
  const options = await generateAuthenticationOptions({ rpID, userVerification: 'required' });
  await putChallenge(deps, 'passkey-sign-in', { secret: options.challenge, data: { rpID }, request });
  return options;
}

/** The passkey that signed what was offered. Each offer is taken once, whatever comes of it. */
export async function readPasskeySignIn(deps: Means, passkey: unknown, request: FastifyRequest): Promise<PasskeyRow> {
  const response = passkey as AuthenticationResponseJSON;
  const { id: expectedRPID, origins } = relyingPartyOf(request, deps.config.PUBLIC_URL);
  const expectedChallenge = challengeIn(response.response.clientDataJSON);
  const offered = await takeChallenge<{ rpID: string }>(deps, 'passkey-sign-in', expectedChallenge);
  const row = offered?.rpID === expectedRPID ? await findPasskeyAnyAccount(deps.db, response.id) : undefined;
  if (row?.rp_id !== expectedRPID) throw refused('passkey');
  const { verifyAuthenticationResponse } = await readWebAuthn();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge,
    expectedOrigin: origins,
    expectedRPID,
    credential: {
      id: row.credential_id,
      publicKey: new Uint8Array(Buffer.from(row.public_key, 'base64url')),
      counter: row.counter,
    },
  }).catch(() => ({ verified: false, authenticationInfo: undefined }));
  if (!verified || !authenticationInfo) throw refused('passkey');
  const at = timestamp(deps.clock.now());
  await notePasskeyUse(deps.db, row, { counter: authenticationInfo.newCounter, at });
  return row;
}

/** The challenge that a browser says it answers; it is looked up, so a lie finds nothing. */
function challengeIn(clientDataJson: string): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString('utf8'));
    return typeof challenge === 'string' ? challenge : '';
  } catch {
    return '';
  }
}

const refused = (field: 'credential' | 'passkey'): ValidationError =>
  new ValidationError({ [field]: ['This passkey was not accepted. Try again.'] });

/** Whom passkeys are for, as browsers see it (WebAuthn, 5.4.2): a host name, and the origins of its pages. */
export interface RelyingParty {
  id: string;
  origins: string[];
}

/**
 * That of PUBLIC_URL, else of the host that the browser asked. A browser lets no page use the passkeys of another host, whatever we
 * say here. Whether it speaks https is hidden by proxies that are not trusted.
 */
function relyingPartyOf(request: FastifyRequest, publicUrl: string): RelyingParty {
  const url = URL.parse(publicUrl) ?? URL.parse(`${request.protocol}://${request.host}`);
  const id = url?.hostname ?? '';
  if (id === '' || isIP(id.replace(/^\[(.*)\]$/, '$1')) !== 0) {
    throw new ValidationError({
      non_field_errors: [
        'Passkeys need a host name. Open the console by its name, such as localhost, not by an address.',
      ],
    });
  }
  return { id, origins: publicUrl ? [url!.origin] : [`https://${url!.host}`, `http://${url!.host}`] };
}
