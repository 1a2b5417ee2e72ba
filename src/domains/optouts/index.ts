export { optOutEach, type Said } from './change.ts';
export { erasedKey, eraseOptOuts } from './erase.ts';
export { findOptedOut, findOptedOutNow } from './find.ts';
export { type Heard, heedKeywords, helpText, keywordOf, yields } from './keywords.ts';
export { routes as optOutRoutes } from './routes.ts';
export { OptOutCreate, optOutEvents, presentOptOut } from './schemas.ts';
