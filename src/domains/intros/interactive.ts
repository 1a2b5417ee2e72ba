import { type TSchema, Type } from 'typebox';
import { record, tagged } from '../../platform/http/validation/index.ts';

/**
 * Interactive replies: quick reply, list, call to action, flow, location request. Limits are the platform's; ids may be left
 * out and are then made when the reply is sent. Texts and links may hold `{{Placeholders}}`, so links are not checked as such.
 */

/** Checked by the schemas below and handed on as it came; only the rows of a list are looked at again. */
export interface Components {
  action?: { sections?: { rows: unknown[] }[] };
}

const text = (most: number) => Type.String({ minLength: 1, maxLength: most });
const textObject = (most: number) => Type.Object({ text: text(most) });
const optional = Type.Optional;

const Media = Type.Object(
  { id: optional(text(256)), link: optional(text(2048)), url: optional(text(2048)) },
  { minProperties: 1 },
);
const Header = tagged(
  'type',
  {},
  { text: { text: text(60) }, image: { image: Media }, video: { video: Media }, document: { document: Media } },
);

const shape = (kind: string, action: TSchema, { header = Header as TSchema, body = 1024 } = {}) =>
  Type.Unsafe<Components>(
    Type.Object({
      type: optional(Type.Enum([kind])),
      header: optional(header),
      body: textObject(body),
      footer: optional(textObject(60)),
      action,
    }),
  );

/** A button in the API's short form, `{type, title, id?}`, or in the platform's own, `{type, reply: {id?, title}}`. */
const Button = Type.Unsafe({
  ...Type.Object({
    type: Type.Enum(['reply']),
    title: optional(text(20)),
    id: optional(text(256)),
    reply: optional(Type.Object({ id: optional(text(256)), title: text(20) })),
  }),
  if: has('reply'),
  else: has('title'),
});

export const QuickReply = shape('button', Type.Object({ buttons: Type.Array(Button, { minItems: 1, maxItems: 3 }) }));

const Row = Type.Object({
  id: optional(text(200)),
  title: text(24),
  description: optional(Type.String({ maxLength: 72 })),
});
const Section = Type.Object({ title: optional(text(24)), rows: Type.Array(Row, { minItems: 1, maxItems: 10 }) });
const Sections = Type.Unsafe({
  ...Type.Array(Section, { minItems: 1, maxItems: 10 }),
  // Titles tell sections apart, once there are several.
  if: { minItems: 2 },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { items: has('title') },
});

export const List = shape('list', Type.Object({ button: text(20), sections: Sections }), {
  header: tagged('type', {}, { text: { text: text(60) } }),
  body: 4096,
});

export const CallToAction = shape(
  'cta_url',
  Type.Object({
    name: optional(Type.Enum(['cta_url'])),
    parameters: Type.Object({ display_text: text(20), url: text(2048) }),
  }),
);

const FlowParameters = Type.Unsafe({
  ...Type.Object({
    flow_id: optional(text(64)),
    flow_name: optional(text(200)),
    flow_cta: text(30),
    flow_message_version: optional(text(10)),
    mode: optional(Type.Enum(['draft', 'published'])),
    flow_token: optional(Type.String({ maxLength: 512 })),
    flow_action: optional(Type.Enum(['navigate', 'data_exchange'])),
    flow_action_payload: optional(record(Type.Unknown())),
  }),
  if: has('flow_name'),
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { properties: { flow_id: { not: {}, 'x-message': 'Give flow_id or flow_name, not both.' } } },
  else: has('flow_id'),
});

export const Flow = shape('flow', Type.Object({ name: optional(Type.Enum(['flow'])), parameters: FlowParameters }));

const LocationRequest = shape('location_request_message', Type.Object({ name: Type.Enum(['send_location']) }));

/** Any of them. `type` may be left out: the action then tells which one is meant, and without a hint it is a quick reply. */
export const Interactive = Type.Unsafe<Components>({
  type: 'object',
  title: 'InteractiveReply',
  ...choose(
    ['list', has('sections'), List],
    ['cta_url', named('cta_url'), CallToAction],
    ['flow', named('flow'), Flow],
    ['location_request_message', named('send_location'), LocationRequest],
  ),
});

/** `if`, not a union: only the shape that is meant is checked, so only its errors are reported. */
function choose(...kinds: [type: string, action: object, meant: TSchema][]): object {
  return kinds.reduceRight<object>((otherwise, [type, action, meant]) => {
    const isOfType = { properties: { type: { const: type } }, required: ['type'] };
    const looksLikeIt = { properties: { type: { not: { type: 'string' } }, action }, required: ['action'] };
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    return { if: { anyOf: [isOfType, looksLikeIt] }, then: meant, else: otherwise };
  }, QuickReply);
}

function has(field: string) {
  return { type: 'object', properties: { [field]: {} }, required: [field] };
}

function named(name: string) {
  return { type: 'object', properties: { name: { const: name } }, required: ['name'] };
}
