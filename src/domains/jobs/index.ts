export { resultArchive } from './archive.ts';
export { purgeJobFilesAnyAccount } from './files.ts';
export { startJobs } from './loop.ts';
export { routes as jobRoutes } from './routes.ts';
