export { linkOperations, serveLinks } from './open/serve.ts';
export { isSenderOfIntro } from './queries.ts';
export { routes as introRoutes } from './routes.ts';
export { tasks as introTasks } from './sessions/failures.ts';
export { contextsOf, findMeant, introduce, type Meant } from './sessions/introduce.ts';
export { moveIntros } from './sessions/move-intros.ts';
export { startByCall } from './sessions/start-by-call.ts';
export { startIntroTimers } from './sessions/timers.ts';
