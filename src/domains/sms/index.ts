export { startSmsDelivery } from './delivery.ts';
export { startLinks } from './hold.ts';
export type { SmsRow } from './queries.ts';
export { receiveCarrierSms, receiveSms } from './receive.ts';
export { routes as smsRoutes } from './routes.ts';
export { presentSms, type SmsCreate, SmsRecord } from './schemas.ts';
export { type NewSms, sendSmsAll } from './send.ts';
export { tasks as smsTasks } from './tasks.ts';
