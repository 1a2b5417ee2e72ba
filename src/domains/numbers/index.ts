export { ensureNumberPool } from './ensure-pool.ts';
export { routes as numberRoutes } from './routes.ts';
