export { purgeJobFilesAnyAccount } from './files.ts';
export { resultRetention } from './result-queries.ts';
export { routes as jobRoutes } from './routes.ts';
export { startJobs } from './running/run.ts';
export { jobEvents } from './schemas.ts';
export { acceptJob } from './submit.ts';
