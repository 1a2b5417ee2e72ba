import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { besideCalled } from './route.ts';

/** A proxy takes the path off: what is asked here has none, and what is answered must have it. Its name looks like one of ours. */
const publicUrl = 'https://chat.example/v2/parley';

describe('Behind a path, addresses in answers begin with PUBLIC_URL', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ ROLES: 'api', PUBLIC_URL: `${publicUrl}/` });
  });
  after(() => app.close());

  it('pages › next, which keeps the query string', async () => {
    for (const name of ['One', 'Two']) assert.equal((await app.call('POST', '/v2/lists/', { name })).status, 201);
    const { body } = await app.call('GET', '/v2/lists/?page_size=1');
    assert.ok(body.next.startsWith(`${publicUrl}/v2/lists/?page_size=1&cursor=`), body.next);
  });

  it('jobs › Location', async () => {
    const job = { type: 'contacts.export', input: {} };
    const { status, headers, body } = await app.call('POST', '/v3/jobs/', job);
    assert.equal(status, 202, JSON.stringify(body));
    assert.equal(headers['location'], `${publicUrl}/v3/jobs/${body.id}/`);
  });

  it('invitations › link', async () => {
    const { body } = await app.call('POST', '/v2/invitations/', { role: 'agent' });
    assert.match(String(body.link), /^https:\/\/chat\.example\/v2\/parley\/console\/invitation\/[0-9a-f]{40}$/);
  });

  it('files › url, and flows › preview_url, by the same rule', () => {
    const called = new URL(`${publicUrl}/v2/flows/1/preview/?a=/v2/`);
    assert.equal(besideCalled(called, '/console/flow'), `${publicUrl}/console/flow`);
    assert.equal(besideCalled(new URL('http://localhost/v2/flows/'), '/console/flow'), 'http://localhost/console/flow');
  });
});
