export { bodyValidator } from './body.ts';
export { exactlyOne, has } from './exactly-one.ts';
export { withOffset } from './formats.ts';
export { headerList, ignoredFields } from './ignored-fields.ts';
export { parseJson } from './json.ts';
export { queryValidator } from './query.ts';
export { nullable, record, type Tagged, tagged } from './schemas.ts';
