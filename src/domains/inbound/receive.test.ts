import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import type { InboundMessage } from '../../carriers/ports/inbox.ts';
import { newId } from '../../platform/ids.ts';
import { within } from '../../platform/within.ts';
import { resolveSenders } from '../chatapp-accounts/index.ts';
import { receiveEvents } from './receive.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

it('a sender that is taken into use while messages are received is not remembered when that is undone', async () => {
  await app.call('PATCH', '/v2/account/', { help_text: 'Call us.' });
  const number = '+447700380001';
  const asking: InboundMessage = {
    kind: 'message',
    sender: { number },
    id: newId(),
    from: { number: '+447700380002', userId: null },
    name: '',
    type: 'TEXT',
    content: { text: { body: 'HELP' } },
    context: {},
    at: new Date(),
  };
  const undone = new Error('undone');
  const receiving = within(app.deps, async (deps) => {
    // The answer to HELP is sent by the new sender.
    await receiveEvents(deps, app.accountId, 'sandbox', [asking]);
    throw undone;
  });
  await assert.rejects(receiving, undone);
  const [found] = await resolveSenders(app.deps, [{ accountId: app.accountId, chatappNumber: number }]);
  assert.equal((await app.call('GET', `/v2/chatapp/accounts/${found!.uuid}/`)).status, 200);
});
