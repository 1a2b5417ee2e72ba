export { type Interactive, interactiveErrors, interactiveKinds } from './content/interactive.ts';
export { messageErrors } from './content/problems.ts';
export { conversationRoutes } from './conversations.ts';
export { lastEnded, markAccount, pauseLaunch, readLedger, resumeLaunch } from './deliver/move.ts';
export { purgePairRatesAnyAccount } from './deliver/pair-rate.ts';
export { startDelivery } from './deliver/start-delivery.ts';
export { hasMessages, type MessageRow } from './queries.ts';
export { purgeInboundIdsAnyAccount } from './receive/inbound-queries.ts';
export { tasks as messageTasks } from './receive/mark-read.ts';
export { addressOf, findOpenWindows, renamePerson, windowMs } from './receive/people.ts';
export {
  type Arrival,
  applyReceipts,
  flowAnswerOf,
  type Incoming,
  type Received,
  receiveMessages,
} from './receive/receive.ts';
export {
  conversationRetention,
  eraseConversations,
  eraseMessages,
  hasMessagesWith,
  maskMessagesAnyAccount,
  messageRetention,
} from './retention.ts';
export { routes as messageRoutes } from './routes.ts';
export { Ledger, Message, MessageCreate, messageEvents, presentMessage } from './schemas.ts';
export { cancelLaunch, moveSender } from './send/cancel.ts';
export { type NewMessage, sendMessages } from './send/send.ts';
