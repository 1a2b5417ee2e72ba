import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { Uuid } from '../../../platform/http/openapi/models.ts';
import { exactlyOne, record, tagged } from '../../../platform/http/validation/index.ts';

export const Location = Type.Object({
  latitude: Type.Number({ minimum: -90, maximum: 90 }),
  longitude: Type.Number({ minimum: -180, maximum: 180 }),
  name: Type.Optional(Type.String({ maxLength: 1000 })),
  address: Type.Optional(Type.String({ maxLength: 1000 })),
});

/** What the parts of a template that differ from message to message may hold. */
interface Fillings {
  text: TSchema;
  headerText: TSchema;
  url: TSchema;
  couponCode: TSchema;
}

const uploaded = Uuid('A file that was uploaded to `/v2/chatapp/template-media/`, instead of a url.');

/** A component's parameters, all of them told apart by `type`; the platform takes at most `most`. */
const parameters = (kinds: Record<string, TProperties>, most = 1) =>
  Type.Optional(Type.Array(tagged('type', {}, kinds), { maxItems: most }));

/**
 * The components of a template message, filled or to be filled: a stored intro may have placeholders and
 * gaps, a message about to be sent may not.
 */
function componentsOf(title: string, { text, headerText, url, couponCode }: Fillings) {
  const parameterName = Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'For templates with named parameters.',
  });
  const named = { parameter_name: Type.Optional(parameterName) };
  const media = (kind: string, more = {}) => ({
    [kind]: exactlyOne(
      ['url', 'link', 'media_uuid'],
      Type.Object({
        url: Type.Optional(url),
        link: Type.Optional(url),
        media_uuid: Type.Optional(uploaded),
        ...more,
      }),
    ),
  });
  const pictures = { image: media('image'), video: media('video') };
  const header = {
    text: { text: headerText, ...named },
    ...pictures,
    document: media('document', { filename: Type.Optional(Type.String({ minLength: 1, maxLength: 240 })) }),
    location: { location: Location },
  };
  const body = {
    text: { text, ...named },
    currency: { currency: Currency(text), ...named },
    date_time: { date_time: Type.Object({ fallback_value: text }), ...named },
  };
  const index = Type.Integer({ minimum: 0, maximum: 9, description: 'Position of the button, from 0.' });
  const replyOrLink = {
    url: { parameters: parameters({ text: { text } }) },
    quick_reply: { parameters: parameters({ payload: { payload: Type.String({ minLength: 1, maxLength: 256 }) } }) },
  };
  const buttons = {
    ...replyOrLink,
    flow: { parameters: parameters({ action: { action: FlowAction } }) },
    copy_code: { parameters: parameters({ coupon_code: { coupon_code: couponCode } }) },
  };
  const card = tagged(
    'type',
    {},
    {
      header: { parameters: parameters(pictures) },
      body: { parameters: parameters(body, 100) },
      button: tagged('sub_type', { index }, replyOrLink),
    },
  );
  const component = tagged(
    'type',
    {},
    {
      header: { parameters: parameters(header) },
      body: { parameters: parameters(body, 100) },
      button: tagged('sub_type', { index }, buttons),
      limited_time_offer: { parameters: Offer },
      carousel: { cards: Type.Array(Card(card), { minItems: 2, maxItems: 10 }) },
    },
    { title },
  );
  return Type.Array(component, { maxItems: 12 });
}

const Currency = (text: TSchema) =>
  Type.Object({
    fallback_value: text,
    code: Type.String({ pattern: '^[A-Z]{3}$', 'x-message': 'Enter a currency code such as EUR.' }),
    amount_1000: Type.Integer({ description: 'The amount times 1,000.' }),
  });

const FlowAction = Type.Object({
  flow_token: Type.Optional(Type.String({ maxLength: 512 })),
  flow_action_data: Type.Optional(record(Type.Unknown(), { description: 'Data for the first screen.' })),
});

/** The last moment that a timestamp can name. */
const endOf9999Ms = 253_402_300_799_999;

const Offer = Type.Array(
  tagged(
    'type',
    {},
    {
      limited_time_offer: {
        limited_time_offer: Type.Object({
          expiration_time_ms: Type.Integer({
            minimum: 1,
            maximum: endOf9999Ms,
            description: 'When it ends, in milliseconds since 1970.',
          }),
        }),
      },
    },
  ),
  { minItems: 1, maxItems: 1 },
);

/** One card of a carousel: a picture or a film, a text, and buttons. */
const Card = <T extends TSchema>(component: T) =>
  Type.Object({
    card_index: Type.Integer({ minimum: 0, maximum: 9, description: 'Position of the card, from 0.' }),
    components: Type.Array(component, { minItems: 1, maxItems: 12 }),
  });

/** As stored in an intro: texts, codes and urls may hold `{{Placeholders}}`, filled when the message is made. */
export const TemplateComponents = componentsOf('TemplateComponent', {
  text: Type.String({ maxLength: 1024 }),
  headerText: Type.String({ maxLength: 1024 }),
  url: Type.String({ minLength: 1, maxLength: 2048 }),
  couponCode: Type.String({ minLength: 1, maxLength: 1024 }),
});

/** The platform refuses empty texts, line breaks, tabs and runs of more than four spaces in a parameter. */
const filledText = (most: number) =>
  Type.String({
    minLength: 1,
    maxLength: most,
    pattern: '^(?!.*[\\r\\n\\t])(?!.* {5}).*$',
    'x-message': 'Line breaks, tabs and more than four spaces in a row are not allowed.',
  });

/** As sent: everything filled in. */
export const MessageTemplateComponents = componentsOf('MessageTemplateComponent', {
  text: filledText(1024),
  headerText: filledText(60),
  url: Type.String({ format: 'uri', maxLength: 2048 }),
  couponCode: Type.String({
    minLength: 1,
    maxLength: 20,
    pattern: '^[A-Za-z0-9]*$',
    'x-message': 'Only letters and digits are allowed.',
  }),
});
export type MessageTemplateComponents = Static<typeof MessageTemplateComponents>;

export const TemplateName = Type.String({ minLength: 1, maxLength: 512 });

export const LanguageCode = Type.String({
  pattern: '^[a-z]{2,3}(_[A-Za-z0-9]{2,8})?$',
  'x-message': 'Enter a language code such as en_GB.',
});
