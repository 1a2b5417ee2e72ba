export { insertErasure } from './queries.ts';
export { routes as peopleRoutes } from './routes.ts';
export { PersonParams } from './schemas.ts';
