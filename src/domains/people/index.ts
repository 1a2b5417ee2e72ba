export { insertErasure } from './queries.ts';
export { PersonParams, routes as peopleRoutes } from './routes.ts';
