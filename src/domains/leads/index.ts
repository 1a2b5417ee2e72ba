export { routes as leadRoutes } from './routes.ts';
