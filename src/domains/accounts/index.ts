export { makeAuthenticator } from './authenticate.ts';
export { type Bootstrapped, bootstrap } from './bootstrap.ts';
export { routes as accountRoutes } from './routes.ts';
