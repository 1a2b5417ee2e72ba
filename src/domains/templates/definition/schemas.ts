import { type Static, Type } from 'typebox';
import { Uuid } from '../../../platform/http/openapi/models.ts';
import { tagged } from '../../../platform/http/validation/index.ts';

/** What a template is made of, in the platform's own shapes. Lengths are its limits; its rules are in `check.ts`. */

const text = (most: number) => Type.String({ minLength: 1, maxLength: most });
const optional = Type.Optional;

const named = Type.Array(Type.Object({ param_name: text(255), example: text(1024) }), { maxItems: 100 });

const HeaderText = Type.Object({
  text: text(60),
  example: optional(
    Type.Object({
      header_text: optional(Type.Array(text(60), { maxItems: 1 })),
      header_text_named_params: optional(named),
    }),
  ),
});

const HeaderFile = Type.Object({
  example: optional(Type.Object({ header_handle: Type.Array(text(4096), { minItems: 1, maxItems: 1 }) })),
  media_uuid: optional(Uuid('A file of template-media, in place of `example`; it becomes the handle.')),
});

const Body = Type.Object({
  text: optional(Type.String({ minLength: 1, maxLength: 1024, description: 'Not in authentication templates.' })),
  example: optional(
    Type.Object({
      body_text: optional(Type.Array(Type.Array(text(1024), { maxItems: 100 }), { maxItems: 1 })),
      body_text_named_params: optional(named),
    }),
  ),
  add_security_recommendation: optional(Type.Boolean({ description: 'Authentication templates only.' })),
});

const Footer = Type.Object({
  text: optional(text(60)),
  code_expiration_minutes: optional(
    Type.Integer({ minimum: 1, maximum: 90, description: 'Authentication templates only, in place of `text`.' }),
  ),
});

const replyOrLink = {
  QUICK_REPLY: { text: text(25) },
  URL: {
    text: text(25),
    url: Type.String({
      maxLength: 2000,
      pattern: '^https?://[^\\s\\\\]+$',
      'x-message': 'Enter a valid URL.',
      description: 'May end in one variable, `{{1}}`.',
    }),
    example: optional(Type.Array(text(2000), { minItems: 1, maxItems: 1 })),
  },
  PHONE_NUMBER: {
    text: text(25),
    phone_number: Type.String({ pattern: '^\\+?\\d{6,20}$', 'x-message': 'Enter a valid phone number.' }),
  },
};

const buttons = {
  ...replyOrLink,
  COPY_CODE: {
    example: Type.String({
      minLength: 1,
      maxLength: 20,
      pattern: '^[A-Za-z0-9]*$',
      'x-message': 'Only letters and digits are allowed.',
    }),
  },
  OTP: {
    otp_type: Type.Enum(['COPY_CODE', 'ONE_TAP', 'ZERO_TAP']),
    text: optional(text(25)),
    autofill_text: optional(text(25)),
    zero_tap_terms_accepted: optional(Type.Boolean()),
    supported_apps: optional(
      Type.Array(
        Type.Object({ package_name: text(224), signature_hash: Type.String({ minLength: 11, maxLength: 11 }) }),
        { minItems: 1, maxItems: 5 },
      ),
    ),
  },
  FLOW: {
    text: text(25),
    flow_id: optional(text(64)),
    flow_name: optional(text(200)),
    flow_json: optional(text(500_000)),
    flow_action: optional(Type.Enum(['navigate', 'data_exchange'])),
    navigate_screen: optional(text(200)),
  },
};

const Card = Type.Object({
  components: Type.Array(
    tagged(
      'type',
      {},
      {
        HEADER: tagged('format', {}, { IMAGE: HeaderFile, VIDEO: HeaderFile }),
        BODY: Body,
        BUTTONS: { buttons: Type.Array(tagged('type', {}, replyOrLink), { minItems: 1, maxItems: 2 }) },
      },
    ),
    { minItems: 1, maxItems: 3 },
  ),
});

const Component = tagged(
  'type',
  {},
  {
    HEADER: tagged(
      'format',
      {},
      { TEXT: HeaderText, IMAGE: HeaderFile, VIDEO: HeaderFile, DOCUMENT: HeaderFile, LOCATION: {} },
    ),
    BODY: Body,
    FOOTER: Footer,
    BUTTONS: { buttons: Type.Array(tagged('type', {}, buttons), { minItems: 1, maxItems: 10 }) },
    LIMITED_TIME_OFFER: {
      limited_time_offer: Type.Object({ text: text(16), has_expiration: optional(Type.Boolean()) }),
    },
    CAROUSEL: { cards: Type.Array(Card, { minItems: 2, maxItems: 10 }) },
  },
  { title: 'TemplateDefinitionComponent' },
);
export const Components = Type.Array(Component, { minItems: 1, maxItems: 6 });

export type Component = Static<typeof Component>;
export type Part<T extends Component['type']> = Extract<Component, { type: T }>;
export type Card = Static<typeof Card>;
export type CardPart<T extends Component['type']> = Extract<Card['components'][number], { type: T }>;
export type Button = Part<'BUTTONS'>['buttons'][number];
export type ParameterFormat = 'POSITIONAL' | 'NAMED';

export interface Definition {
  category: string;
  parameter_format: ParameterFormat;
  components: Component[];
}
