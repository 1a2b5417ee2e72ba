export { appendEvents, eventsOf, eventsOfType, firstEventsText, type NewEvent } from './queries.ts';
