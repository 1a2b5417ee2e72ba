export {
  type ChatappAccount,
  findByNumber,
  findChatappAccount,
  spendAllowanceText,
  takeAllowanceText,
} from './queries.ts';
export { resolveSenders, type SenderUse } from './resolve.ts';
export { routes as chatappAccountRoutes } from './routes.ts';
