export { type Decision, decide, expectsWords, hasRouting, type Inquiry } from './decide.ts';
export { configsPlaying } from './queries.ts';
export { type CallStep, routeCall, wantedBy } from './route-call.ts';
export { routes as routingRoutes } from './routes.ts';
export type { Channel as RoutingChannel, RouteDestination } from './schemas.ts';
