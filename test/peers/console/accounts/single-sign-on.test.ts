// Setting up single sign-on, and signing in by a real OpenID provider, as people do it in a browser.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { startIdentityProvider, type TestProvider } from '../../../kit/sign-in/identity-provider.ts';
import { type OwnStage, openOwnStage, skip } from '../stage.ts';

describe('Single sign-on', { skip, timeout: 1_800_000 }, () => {
  let stage: OwnStage;
  let idp: TestProvider;
  /** By another name than the provider's: browsers take them for different sites, as they are anywhere else. */
  let home: string;
  before(async () => {
    stage = await openOwnStage({ SSO_ALLOW: '127.0.0.1' });
    home = stage.url.replace('127.0.0.1', 'localhost');
    idp = await startIdentityProvider({
      redirectUris: [`${home}/v2/auth/sso/callback/`],
      logoutUris: [`${home}/console/`],
    });
    idp.asks = true;
  });
  after(async () => {
    await stage?.close();
    await idp?.close();
  });

  const isInside = (page: Page) => page.getByRole('navigation', { name: 'Main' }).waitFor();
  const letMeIn = (page: Page) => page.getByRole('button', { name: 'Let me in' }).click();
  const offer = (page: Page) => page.getByRole('button', { name: 'Continue with Example Corp' });

  it('an owner connects a provider, and sees that it works', async () => {
    const page = await stage.signedIn('/settings/single-sign-on');
    await page.getByRole('link', { name: 'New identity provider' }).first().click();
    await page.getByLabel('Name', { exact: false }).first().fill('Example Corp');
    await page.getByLabel('Issuer').fill(idp.issuer);
    await page.getByLabel('Client id').fill(idp.client.client_id);
    await page.getByRole('textbox', { name: 'Client secret' }).fill('not the secret');
    await page.getByRole('combobox', { name: 'E-mail domains' }).fill('example.com');
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'Role of everybody else' }).click();
    await page.getByRole('option', { name: 'Supervisor' }).click();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('button', { name: 'Test connection' }).click();
    await page.getByText('The provider refuses the client id or the client secret.').waitFor();
    await page.getByRole('textbox', { name: 'Client secret' }).fill(idp.client.client_secret);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('button', { name: 'Test connection' }).click();
    await page.getByText('The connection works').waitFor();
    assert.deepEqual(stage.problems, []);
  });

  it('whoever enters an address of the domain is led to the provider, and back to the page where they were', async () => {
    idp.person = { sub: 'ana', email: 'ana@example.com', email_verified: true, name: 'Ana' };
    const page = await stage.open();
    await page.goto(`${home}/console/messages`);
    await page.getByLabel('User name').fill('ana@example.com');
    await offer(page).click();
    await letMeIn(page);
    await isInside(page);
    assert.equal(new URL(page.url()).pathname, '/console/messages');
    await page.reload();
    await isInside(page);
    await page.getByRole('button', { name: 'You' }).click();
    await page.getByText('ana@example.com').first().waitFor();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    // The provider asks, too, and sends the browser back.
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Parley' }).waitFor();
    assert.equal(page.url(), `${home}/console/`);
  });

  it('whoever is refused is told why on the sign-in page', async () => {
    idp.person = { sub: 'eve', email: 'eve@example.com', email_verified: false };
    const page = await stage.open();
    const { results } = await stage.get('/v2/identity-providers/');
    // As a launcher of apps has it.
    await page.goto(`${home}/console/?sso=${results[0].uuid}`);
    await letMeIn(page);
    await page.getByText('does not say that your e-mail address is verified').waitFor();
    assert.equal(await page.getByRole('navigation', { name: 'Main' }).count(), 0);
  });
});
