export { linkOperations, serveLinks } from './open/serve.ts';
export { isSenderOfIntro } from './queries.ts';
export { routes as introRoutes } from './routes.ts';
export { findNamingIntro, introduce } from './sessions/introduce.ts';
export { startIntroTimers } from './sessions/timers.ts';
