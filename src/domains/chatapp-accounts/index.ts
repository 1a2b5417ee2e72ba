export {
  type ChatappAccount,
  findChatappAccount,
  spendAllowanceText,
  takeAllowanceText,
} from './queries.ts';
export { resolveSenders } from './resolve.ts';
export { routes as chatappAccountRoutes } from './routes.ts';
