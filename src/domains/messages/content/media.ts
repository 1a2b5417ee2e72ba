import { type Static, type TProperties, Type } from 'typebox';
import { Uuid } from '../../../platform/http/openapi/models.ts';

const source = {
  url: Type.Optional(Type.String({ format: 'uri', maxLength: 2048, description: 'Where the platform fetches it.' })),
  media_uuid: Type.Optional(Uuid('A file that was uploaded to `/v2/chatapp/template-media/`, instead of a url.')),
};
const caption = Type.Optional(Type.String({ maxLength: 1024 }));
const filename = Type.Optional(
  Type.String({ minLength: 1, maxLength: 240, description: 'Shown to the person; its ending picks the icon.' }),
);

const present = {};
const absent = { not: {} };
/** Said with `not` alone: other conditions might bring fields of their own, and then unknown ones could not be named. */
const oneSource = [
  {
    not: { type: 'object', properties: { url: absent, media_uuid: absent } },
    'x-message': 'Give url or media_uuid.',
  },
  {
    not: { type: 'object', properties: { url: present, media_uuid: present }, required: Object.keys(source) },
    'x-message': 'Give url or media_uuid, not both.',
  },
];

function fileWith<P extends TProperties>(more: P) {
  const fields = Type.Object({ ...source, ...more });
  return Type.Unsafe<Static<typeof fields>>({ ...fields, allOf: oneSource });
}

/** Audio and stickers. */
export const Media = fileWith({});
/** Images and videos. */
export const CaptionedMedia = fileWith({ caption });
export const DocumentMedia = fileWith({ caption, filename });
