// Signing in with a second factor and with a passkey, as somebody does it in a browser.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import type { Page } from 'playwright-core';
import { codeOf, passwordOfAll } from '../../../kit/person.ts';
import { until } from '../../../kit/until.ts';
import { type OwnStage, openOwnStage, skip } from '../stage.ts';

describe('Signing in', { skip, timeout: 1_800_000 }, () => {
  let stage: OwnStage;
  before(async () => {
    stage = await openOwnStage();
  });
  after(() => stage?.close());

  const addUser = (username: string) =>
    stage.post('/v2/users/', { username, password: passwordOfAll, scopes: ['read', 'write'] });
  const typePassword = async (page: Page, username: string) => {
    await page.getByLabel('User name').fill(username);
    await page.getByRole('textbox', { name: 'Password' }).fill(passwordOfAll);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  };
  const isInside = (page: Page) => page.getByRole('navigation', { name: 'Main' }).waitFor();
  const signOut = async (page: Page) => {
    await page.getByRole('button', { name: 'You' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Parley' }).waitFor();
  };
  /** The codes that are shown once; they are put away. */
  const keepCodes = async (page: Page): Promise<string[]> => {
    const codes = (await page.getByTestId('recovery-codes').textContent())!.split('\n');
    await page.getByRole('button', { name: 'I have kept them' }).click();
    return codes;
  };

  it('an account that requires a second factor leads to an authenticator app, and asks for its codes from then on', async () => {
    await addUser('ana');
    await setRequired(stage, true);
    const page = await stage.open();
    await page.goto(`${stage.url}/console/`);
    await typePassword(page, 'ana');
    await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
    assert.equal(await page.getByRole('navigation', { name: 'Main' }).count(), 0);
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    const secret = (await page.getByTestId('totp-secret').textContent())!;
    await page.getByLabel('Code that the app shows now').fill(codeOf(secret));
    await page.getByRole('button', { name: 'Turn on' }).click();
    const codes = await keepCodes(page);
    assert.equal(codes.length, 10);
    await isInside(page);

    await signOut(page);
    await typePassword(page, 'ana');
    await page.getByRole('textbox', { name: 'Code' }).fill('000000');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('This code is wrong, too old, or was used already.').waitFor();
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByRole('textbox', { name: 'Recovery code' }).fill(codes[0]!);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await isInside(page);
    await setRequired(stage, false);

    await confirmsBeforeWhatIsSensitive(stage, page, codes[1]!);
    await page.context().close();
  });

  it('a passkey is added in the profile, and signs in without a name', async () => {
    await addUser('ben');
    const page = await stage.open();
    // Passkeys are for names, not for addresses.
    const url = stage.url.replace('127.0.0.1', 'localhost');
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await page.goto(`${url}/console/`);
    await typePassword(page, 'ben');
    await isInside(page);
    await page.goto(`${url}/console/profile`);
    await page.getByLabel('Name of the passkey', { exact: true }).fill('Work laptop');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    assert.equal((await keepCodes(page)).length, 10);
    await page.getByLabel('Name of the passkey Work laptop').waitFor();

    await signOut(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await isInside(page);
    await page.context().close();
  });
});

async function setRequired(stage: OwnStage, require_second_factor: boolean): Promise<void> {
  const answer = await fetch(`${stage.url}/v2/account/security/`, {
    method: 'PATCH',
    headers: { authorization: `Token ${stage.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ require_second_factor }),
  });
  assert.equal(answer.status, 200);
}

/** An hour later, new recovery codes are given to whoever proves that it is they. */
async function confirmsBeforeWhatIsSensitive(stage: OwnStage, page: Page, code: string): Promise<void> {
  await page.goto(`${stage.url}/console/profile`);
  await page.getByRole('button', { name: 'Make new recovery codes' }).waitFor();
  const database = new pg.Client(stage.database.url);
  await database.connect();
  await database.query("update tokens set authenticated = now() - interval '1 hour' where kind = 'SESSION'");
  await database.end();
  const headers = { 'x-requested-with': 'parley-console' };
  // The server remembers for a few seconds when somebody signed in.
  await until(
    async () => (await page.request.post(`${stage.url}/v2/auth/factors/totp/`, { headers })).status(),
    (status) => status === 403,
  );
  await page.getByRole('button', { name: 'Make new recovery codes' }).click();
  await page.getByRole('button', { name: 'Make new codes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await dialog.getByRole('button', { name: 'Use a recovery code' }).click();
  await dialog.getByRole('textbox', { name: 'Recovery code' }).fill(code);
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
  assert.equal((await page.getByTestId('recovery-codes').textContent())!.split('\n').length, 10);
}
