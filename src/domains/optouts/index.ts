export { findOptedOut, findOptedOutNow } from './find.ts';
export { routes as optOutRoutes } from './routes.ts';
