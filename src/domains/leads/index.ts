export { introduceLeads } from './introduce.ts';
export { routes as leadRoutes } from './routes.ts';
