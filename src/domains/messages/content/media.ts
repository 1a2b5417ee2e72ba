import { type Static, type TProperties, Type } from 'typebox';
import { Uuid } from '../../../platform/http/openapi/models.ts';

const address = (description: string) => Type.Optional(Type.String({ format: 'uri', maxLength: 2048, description }));
const source = {
  url: address('Where the platform fetches it.'),
  link: address("The platform's word for `url`, which may stand here instead."),
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
    not: { type: 'object', properties: { url: absent, link: absent, media_uuid: absent } },
    'x-message': 'Give url or link or media_uuid.',
  },
  ...[
    ['url', 'link'],
    ['url', 'media_uuid'],
    ['link', 'media_uuid'],
  ].map((two) => ({
    not: { type: 'object', properties: Object.fromEntries(two.map((name) => [name, present])), required: two },
    'x-message': `Give ${two.join(' or ')}, not both.`,
  })),
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
