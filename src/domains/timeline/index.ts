export { appendEvents, eventsOf, firstEventsText, insertEvents, type NewEvent } from './queries.ts';
