export { bodyValidator } from './body.ts';
export { coercion } from './coerce.ts';
export { headerList, ignoredFields } from './ignored-fields.ts';
export { parseJson } from './json.ts';
export { aliasOf, queryValidator } from './query.ts';
export { exactlyOne, has } from './schemas/exactly-one.ts';
export { withOffset } from './schemas/formats.ts';
export { nullable, record, type Tagged, tagged } from './schemas/schemas.ts';
export { unstorable } from './unstorable.ts';
