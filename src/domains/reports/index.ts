export { routes as reportRoutes } from './routes.ts';
export { tasks as reportTasks } from './tasks.ts';
