export { routes as introRoutes } from './routes.ts';
