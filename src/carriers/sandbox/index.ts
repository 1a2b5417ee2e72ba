export { makeSandbox } from './carrier.ts';
export { behaviours } from './chat/behaviours.ts';
export { sandboxRetention, shownInSandbox } from './queries.ts';
export { routes as sandboxRoutes } from './routes.ts';
export { purgeLegsAnyAccount } from './voice/queries.ts';
