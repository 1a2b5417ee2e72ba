export { appendEvents, eventsOf, insertEvents, type NewEvent } from './queries.ts';
