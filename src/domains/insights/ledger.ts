import { Type } from 'typebox';
import { route } from '../../deps.ts';
import { ok } from '../../platform/http/route.ts';
import { Ledger, readLedger } from '../messages/index.ts';
import { readSmsLedger, SmsLedger } from '../sms/index.ts';

const AccountLedger = Type.Object(
  { ...Ledger.properties, sms: SmsLedger },
  {
    title: 'Ledger',
    description: 'Counted from the rows themselves: accepted = final + pending. First chat-app messages.',
  },
);

export const ledgerRoute = route({
  method: 'GET',
  url: '/v2/account/ledger/',
  operationId: 'getLedger',
  summary: 'Proof that nothing is lost: accepted = final + pending',
  tag: 'Account',
  scope: 'billing:read',
  responses: { 200: AccountLedger },
  handler: async ({ deps, accountId }) => {
    const [messages, sms] = await Promise.all([readLedger(deps.db, accountId), readSmsLedger(deps.db, accountId)]);
    return ok({ ...messages, sms });
  },
});
