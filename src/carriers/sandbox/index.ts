export { behaviours } from './behaviours.ts';
export { makeSandbox } from './carrier.ts';
export { routes as sandboxRoutes } from './routes.ts';
