export { bodyValidator } from './body.ts';
export { coercion } from './coerce.ts';
export { withOffset } from './formats.ts';
export { headerList, ignoredFields } from './ignored-fields.ts';
export { parseJson } from './json.ts';
export { aliasOf, queryValidator } from './query.ts';
export { exactlyOne, has, nullable, record, type Tagged, tagged } from './schemas.ts';
export { unstorable } from './unstorable.ts';
