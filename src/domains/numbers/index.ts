export { ensureNumberPool } from './ensure-pool.ts';
export { routes as numberRoutes } from './routes.ts';
export { countTraffic, type TrafficRow } from './traffic.ts';
