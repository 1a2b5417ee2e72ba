export { senderTopic, setQuality } from './change.ts';
export {
  type ChatappAccount,
  type ChatappAccountRow,
  findChatappAccount,
  slowSender,
  spendAllowanceText,
  takeAllowanceText,
} from './queries.ts';
export { routes as chatappAccountRoutes } from './routes.ts';
export {
  findReferred,
  findSender,
  findSenderAnyAccount,
  resolveSenders,
  senderOf,
  whyNoSender,
  whyNoSenders,
} from './senders.ts';
