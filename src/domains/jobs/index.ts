export { jobEvents } from './events.ts';
export { purgeJobFilesAnyAccount } from './files/files.ts';
export { resultRetention } from './retention.ts';
export { routes as jobRoutes } from './routes.ts';
export { startJobs } from './running/loop.ts';
export { acceptJob } from './submit.ts';
