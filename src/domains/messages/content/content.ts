import { type Static, type TProperties, Type } from 'typebox';
import { Uuid } from '../../../platform/http/openapi/models.ts';
import type { MessageCreate } from '../schemas.ts';
import { withIds } from './interactive.ts';

/** The part of the request that `message_data` was made from. */
export const requestOf = (type: string, messageData: object): object =>
  type === 'TEMPLATE' ? { template: messageData } : messageData;

/** `message_data`: the content as it was sent, plus what was decided about it: ids of buttons, the language of a template. */
export function contentOf(request: MessageCreate, languageCode: string | undefined): Record<string, unknown> {
  switch (request.type) {
    case 'TEXT':
      return { text: request.text };
    case 'IMAGE':
    case 'VIDEO':
    case 'AUDIO':
    case 'DOCUMENT':
    case 'STICKER':
      return { media: request.media };
    case 'LOCATION':
      return { location: request.location };
    case 'CONTACTS':
      return { contacts: request.contacts };
    case 'REACTION':
      return { reaction: request.reaction };
    case 'INTERACTIVE':
      return { interactive: withIds(request.interactive) };
    case 'TEMPLATE': {
      const { template_name, components = [] } = request.template;
      return { language_code: languageCode, template_name, components };
    }
  }
}

export const Text = Type.Object({
  body: Type.String({ minLength: 1, maxLength: 4096 }),
  preview_url: Type.Optional(Type.Boolean({ description: 'Whether the first link is shown with a preview.' })),
});

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
/** Written with `not` alone: other conditions might allow further fields, and then unknown fields could not be named. */
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

// The grammar of one emoji (Unicode Technical Standard 51, 1.4.9): a flag, a keycap, or pictures joined into one.
const flag = '\\p{RI}\\p{RI}';
const keycap = '[0-9#*]\\uFE0F?\\u20E3';
const picture = '\\p{ExtPict}[\\p{EMod}\\uFE0F]?';
const emoji = `${flag}|${keycap}|${picture}(?:[\\u{E0020}-\\u{E007E}]+\\u{E007F})?(?:\\u200D${picture})*`;

export const Reaction = Type.Object({
  message_uuid: Uuid('The message reacted to, of the same conversation.'),
  emoji: Type.String({
    maxLength: 40,
    pattern: `^(?:${emoji})?$`,
    'x-message': 'Enter one emoji, or nothing to take the reaction back.',
    description: 'One emoji; empty takes the reaction back.',
  }),
});

const optionalText = (most: number) => Type.Optional(Type.String({ maxLength: most }));
const Place = Type.Optional(Type.Enum(['HOME', 'WORK']));

const ContactCard = Type.Object(
  {
    name: Type.Object({
      formatted_name: Type.String({ minLength: 1, maxLength: 255 }),
      first_name: optionalText(255),
      middle_name: optionalText(255),
      last_name: optionalText(255),
      prefix: optionalText(255),
      suffix: optionalText(255),
    }),
    addresses: Type.Optional(
      Type.Array(
        Type.Object({
          street: optionalText(255),
          city: optionalText(255),
          state: optionalText(255),
          zip: optionalText(50),
          country: optionalText(255),
          country_code: optionalText(10),
          type: Place,
        }),
        { maxItems: 50 },
      ),
    ),
    birthday: Type.Optional(Type.String({ format: 'date' })),
    emails: Type.Optional(
      Type.Array(Type.Object({ email: Type.String({ minLength: 3, maxLength: 320 }), type: Place }), { maxItems: 50 }),
    ),
    org: Type.Optional(
      Type.Object({ company: optionalText(255), department: optionalText(255), title: optionalText(255) }),
    ),
    phones: Type.Optional(
      Type.Array(
        Type.Object({
          phone: Type.String({ minLength: 1, maxLength: 64 }),
          type: Place,
          wa_id: Type.Optional(
            Type.String({ maxLength: 64, description: 'Under which the platform knows the person; adds a button.' }),
          ),
        }),
        { maxItems: 50 },
      ),
    ),
    urls: Type.Optional(
      Type.Array(Type.Object({ url: Type.String({ format: 'uri' }), type: Place }), { maxItems: 50 }),
    ),
  },
  { title: 'ContactCard' },
);

/** 257 is the platform's own limit of cards in one message. */
export const Contacts = Type.Array(ContactCard, { minItems: 1, maxItems: 257 });
