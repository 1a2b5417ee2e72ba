export {
  appendEvents,
  appendParameters,
  appendText,
  eventsOf,
  eventsOfType,
  eventsText,
  firstEventsText,
  type NewEvent,
  saidInEvents,
} from './queries.ts';
export { deleteEventsOf, erasePersonEvents, eventRetention } from './retention.ts';
export { routes as timelineRoutes } from './routes.ts';
export { serveEventStream, streamOperations } from './stream-serve.ts';
