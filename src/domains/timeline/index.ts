export { appendEvents, eventsOf, firstEventsText, type NewEvent } from './queries.ts';
