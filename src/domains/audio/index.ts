export { findSound, speak, tone } from './find-sound.ts';
export { holdAudioFiles } from './queries.ts';
export { routes as audioRoutes } from './routes.ts';
export { speechErrors } from './speech-errors.ts';
export { tasks as audioTasks } from './sweep.ts';
