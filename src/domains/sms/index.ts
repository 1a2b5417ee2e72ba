export { isName } from './addresses.ts';
export { startSmsDelivery } from './deliver/start-delivery.ts';
export { lastEnded, markAccount, pauseLaunch, readSmsLedger, resumeLaunch } from './deliver/states.ts';
export { startLinks } from './links/keep-open.ts';
export { findAccountLinks } from './links/links.ts';
export type { SmsRow } from './queries.ts';
export {
  type Received as ReceivedSms,
  receiveCarrierSms,
  receiveSms,
  type SmsHooks,
  tasks as smsTasks,
} from './receive/receive.ts';
export { eraseSms, hasSmsWith, maskSmsAnyAccount, smsRetention } from './retention.ts';
export { routes as smsRoutes } from './routes.ts';
export { presentSms, SmsCreate, SmsLedger, SmsRecord, SmsSender, senderSentence, smsEvents } from './schemas.ts';
export { cancelLaunch } from './send/cancel.ts';
export { type NewSms, sendSmsAll } from './send/send.ts';
