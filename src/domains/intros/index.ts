export { introduce } from './introduce.ts';
export { linkOperations, serveLinks } from './open-serve.ts';
export { isSenderOfIntro } from './queries.ts';
export { routes as introRoutes } from './routes.ts';
export { startIntroTimers } from './timers.ts';
