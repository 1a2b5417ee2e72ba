export { lockAudioFiles } from './queries.ts';
export { routes as audioRoutes } from './routes.ts';
export { findSound, speak, speechErrors, tone } from './sounds.ts';
export { tasks as audioTasks } from './store.ts';
