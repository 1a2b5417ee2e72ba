import { type Static, type TSchema, Type } from 'typebox';
import { tagged } from '../../platform/http/validation/index.ts';

const Location = Type.Object({
  latitude: Type.Number({ minimum: -90, maximum: 90 }),
  longitude: Type.Number({ minimum: -180, maximum: 180 }),
  name: Type.Optional(Type.String({ maxLength: 1000 })),
  address: Type.Optional(Type.String({ maxLength: 1000 })),
});

/**
 * The components of a template message (interface 2.1.2), filled or to be filled. `text` and `url` are what such parameters
 * may hold: a stored intro may have placeholders and gaps, a message about to be sent may not.
 */
function componentsOf(title: string, { text, url }: { text: TSchema; url: TSchema }) {
  const media = (kind: string, more = {}) => ({ [kind]: Type.Object({ url, ...more }) });
  const parameters = <T extends TSchema>(item: T, most: number) => Type.Optional(Type.Array(item, { maxItems: most }));
  const textOnly = tagged('type', {}, { text: { text } });
  const header = tagged(
    'type',
    {},
    {
      text: { text },
      image: media('image'),
      video: media('video'),
      document: media('document', { filename: Type.Optional(Type.String({ minLength: 1, maxLength: 240 })) }),
      location: { location: Location },
    },
  );
  const buttons = tagged(
    'sub_type',
    { index: Type.Integer({ minimum: 0, maximum: 9, description: 'Position of the button, from 0.' }) },
    {
      url: { parameters: parameters(textOnly, 1) },
      flow: {
        parameters: parameters(
          tagged(
            'type',
            {},
            {
              action: { action: Type.Object({ flow_token: Type.Optional(Type.String({ maxLength: 512 })) }) },
            },
          ),
          1,
        ),
      },
      quick_reply: {
        parameters: parameters(
          tagged('type', {}, { payload: { payload: Type.String({ minLength: 1, maxLength: 256 }) } }),
          1,
        ),
      },
      copy_code: {
        parameters: parameters(
          tagged('type', {}, { coupon_code: { coupon_code: Type.String({ minLength: 1, maxLength: 20 }) } }),
          1,
        ),
      },
    },
  );
  const component = tagged(
    'type',
    {},
    { header: { parameters: parameters(header, 1) }, body: { parameters: parameters(textOnly, 100) }, button: buttons },
    { title },
  );
  return Type.Array(component, { maxItems: 12 });
}

/** As stored in an intro: texts and urls may hold `{{Placeholders}}`, filled when the message is made. */
export const TemplateComponents = componentsOf('TemplateComponent', {
  text: Type.String({ maxLength: 1024 }),
  url: Type.String({ minLength: 1, maxLength: 2048 }),
});

/** As sent: the platform refuses empty texts, line breaks, tabs and runs of more than four spaces in a parameter. */
export const MessageTemplateComponents = componentsOf('MessageTemplateComponent', {
  text: Type.String({
    minLength: 1,
    maxLength: 1024,
    pattern: '^(?!.*[\\r\\n\\t])(?!.* {5}).*$',
    'x-message': 'Line breaks, tabs and more than four spaces in a row are not allowed.',
  }),
  url: Type.String({ format: 'uri', maxLength: 2048 }),
});
export type MessageTemplateComponents = Static<typeof MessageTemplateComponents>;

export const TemplateName = Type.String({ minLength: 1, maxLength: 512 });

export const LanguageCode = Type.String({
  pattern: '^[a-z]{2,3}(_[A-Za-z0-9]{2,8})?$',
  'x-message': 'Enter a language code such as en_GB.',
});
