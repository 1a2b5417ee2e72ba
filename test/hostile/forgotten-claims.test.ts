// A claim that was committed and whose answer was lost: the process that holds it lives, and knows nothing of it.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { recoverAbandoned as recoverMessages } from '../../src/domains/messages/deliver/recover.ts';
import { recoverAbandoned as recoverSms } from '../../src/domains/sms/deliver/recover.ts';
import type { Doubts } from '../../src/platform/work/hands.ts';
import { startTestApp, type TestApp } from '../kit/app.ts';

const claim = 7;

describe('A claim that its process knows nothing of', () => {
  let app: TestApp;
  /** Nothing is sent here: who looks for claims is the test alone. */
  before(async () => {
    app = await startTestApp({ ROLES: 'api' });
  });
  after(() => app.close());

  const message = { chatapp_number: '+447700900001', to_chatapp_number: '+447700900123', type: 'TEXT' };
  const kinds = [
    {
      name: 'message',
      states: 'message_states',
      address: '/v2/chatapp/messages/',
      body: { ...message, text: { body: 'Hello' } },
      recover: (doubts: Doubts) => recoverMessages(app.deps, doubts),
    },
    {
      name: 'SMS',
      states: 'sms_states',
      address: '/v2/send-sms/',
      body: { from: 'Parley', to: '+447700900123', text: 'Hello' },
      recover: (doubts: Doubts) => recoverSms(app.deps, doubts, []),
    },
  ] as const;

  for (const { name, states, address, body, recover } of kinds) {
    it(`gives its ${name} back, and one in hand stays as it is`, async () => {
      const { db, listener } = app.deps;
      const { body: accepted } = await app.call('POST', address, body);
      await sql`update ${sql.table(states)} set claimed_by = ${listener.workerNumber}, claim = ${claim},
        claimed_at = now() - interval '1 minute' where uuid = ${accepted.uuid}`.execute(db);
      const holder = async () =>
        (await db.selectFrom(states).select('claimed_by').where('uuid', '=', accepted.uuid).executeTakeFirstOrThrow())
          .claimed_by;
      assert.equal(await recover({ inHand: [claim], unsent: [] }), 0);
      assert.equal(await holder(), listener.workerNumber);
      assert.equal(await recover({ inHand: [], unsent: [claim] }), 1);
      assert.equal(await holder(), null);
      assert.equal((await app.call('GET', `${address}${accepted.uuid}/`)).body.status, 'QUEUED');
    });
  }
});
