import type { Inbox } from '../../carriers/ports/inbox.ts';
import type { Deps } from '../../deps.ts';
import { findSenderAnyAccount } from '../chatapp-accounts/index.ts';
import { applyReceipts } from '../messages/index.ts';
import { receiveCarrierSms } from '../sms/index.ts';
import { announceCall } from '../voice/index.ts';
import { gatherEvents } from './gather.ts';
import { keepPayload } from './keep.ts';
import { smsHooks } from './sms.ts';

/** The door by which carriers bring in what happens on their side. */
export const makeInbox = (deps: Deps): Inbox => ({
  receive: (accountId, carrier, events) => gatherEvents(deps, { accountId, carrier, events }),
  receipts: (receipts) => applyReceipts(deps, receipts),
  receiveSms: (accountId, carrier, events) => receiveCarrierSms(deps, accountId, carrier, events, smsHooks),
  receiveCall: (accountId, carrier, call) => announceCall(deps, accountId, carrier, call),
  keep: (payload) => keepPayload(deps, payload),
  findSender: (uuid, carrier) => findSenderAnyAccount(deps, uuid, carrier),
});
