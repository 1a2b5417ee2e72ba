import type { Inbox } from '../../carriers/port.ts';
import type { Deps } from '../../deps.ts';
import { findSenderAnyAccount } from '../chatapp-accounts/index.ts';
import { applyReceipts, presentMessage } from '../messages/index.ts';
import { receiveCarrierSms } from '../sms/index.ts';
import { keepPayload } from './keep.ts';
import { receiveEvents } from './receive.ts';

/** The door by which carriers bring in what happens on their side. */
export const makeInbox = (deps: Deps): Inbox => ({
  receive: async (accountId, carrier, events) =>
    (await receiveEvents(deps, accountId, carrier, events)).map(presentMessage),
  receipts: (receipts) => applyReceipts(deps, receipts),
  receiveSms: (accountId, carrier, events) => receiveCarrierSms(deps, accountId, carrier, events),
  keep: (payload) => keepPayload(deps, payload),
  findSender: (uuid, carrier) => findSenderAnyAccount(deps, uuid, carrier),
});
