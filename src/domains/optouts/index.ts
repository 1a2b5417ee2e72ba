export { optOutEach, type Said } from './change.ts';
export { findOptedOut, findOptedOutNow } from './find.ts';
export { type Heard, heedKeywords, helpText, keywordOf } from './keywords.ts';
export { routes as optOutRoutes } from './routes.ts';
export { OptOutCreate, presentOptOut } from './schemas.ts';
