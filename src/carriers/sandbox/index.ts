export { behaviours } from './behaviours.ts';
export { makeSandbox } from './carrier.ts';
export { purgeLegsAnyAccount } from './leg-queries.ts';
export { sandboxRetention } from './retention.ts';
export { routes as sandboxRoutes } from './routes.ts';
