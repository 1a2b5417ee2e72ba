export { senderTopic } from './change.ts';
export { setQuality } from './quality.ts';
export {
  type ChatappAccount,
  type ChatappAccountRow,
  findChatappAccount,
  slowSender,
  spendAllowanceText,
  takeAllowanceText,
} from './queries.ts';
export { resolveSenders, whyNoSender, whyNoSenders } from './resolve.ts';
export { routes as chatappAccountRoutes } from './routes.ts';
export { findReferred, findSender, findSenderAnyAccount, senderOf } from './sender.ts';
