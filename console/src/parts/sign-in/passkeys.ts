import { call } from '../../api/index.ts';

/** Whether this browser can use passkeys here: on https and localhost, and not where the server is called by an IP address. */
export const passkeysWork = (): boolean =>
  window.isSecureContext && 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(window.location.hostname);

/** Lets the user choose a passkey; resolves to what `passkey` of the API takes. */
export async function askForPasskey() {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const options = await call('post', '/v2/auth/passkey-options/');
  return startAuthentication({ optionsJSON: options as never }) as Promise<never>;
}

/** Lets the user make a passkey; resolves to what `credential` of the API takes. */
export async function makePasskey() {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const options = await call('post', '/v2/auth/factors/passkeys/options/');
  return startRegistration({ optionsJSON: options as never }) as Promise<never>;
}

/** Whether it is no problem of ours: the user closed the browser's dialog, or it took too long. */
export const isGivenUp = (error: unknown): boolean =>
  error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name);
