export { optOutEach, type Said } from './change.ts';
export { eraseOptOuts } from './erase.ts';
export { erasedKey } from './erased.ts';
export { optOutEvents } from './events.ts';
export { findOptedOut, findOptedOutNow } from './find.ts';
export { type Heard, heedKeywords } from './keywords.ts';
export { routes as optOutRoutes } from './routes.ts';
export { OptOutCreate, presentOptOut } from './schemas.ts';
export { helpText, keywordOf, yields } from './words.ts';
