export { purgeJobFilesAnyAccount } from './files.ts';
export { startJobs } from './loop.ts';
export { resultRetention } from './retention.ts';
export { routes as jobRoutes } from './routes.ts';
