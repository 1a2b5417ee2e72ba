import { type Static, type TSchema, Type } from 'typebox';
import { record, tagged } from '../../platform/http/validation/index.ts';
import { type Interactive as Components, interactiveKinds } from '../messages/index.ts';

/**
 * Interactive replies: what a message may hold, except that texts and links may have `{{Placeholders}}`, so links are not
 * checked as such.
 */
const kinds = interactiveKinds(Type.String({ minLength: 1, maxLength: 2048 }), 'Reply');
export const { button: QuickReply, list: List, cta_url: CallToAction, flow: Flow } = kinds;

/** Any of them. `type` may be left out: the action then tells which one is meant, and without a hint it is a quick reply. */
export const Interactive = Type.Unsafe<Components>({
  type: 'object',
  title: 'InteractiveReply',
  ...choose(
    ['list', withField('sections'), List],
    ['cta_url', withField('name', { const: 'cta_url' }), CallToAction],
    ['flow', withField('name', { const: 'flow' }), Flow],
    ['location_request_message', withField('name', { const: 'send_location' }), kinds.location_request_message],
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

function withField(field: string, value: object = {}) {
  return { type: 'object', properties: { [field]: value }, required: [field] };
}

export const ReplyType = Type.Enum(['TEXT', 'INTERACTIVE', 'IMAGE', 'LIST', 'CTA', 'FLOW', 'QUICK_REPLY']);
export type ReplyType = Static<typeof ReplyType>;

const Bound = Type.String({
  pattern: '^ *[+-]?\\d[\\d ,]{0,30}(\\.\\d{1,10})? *$',
  maxLength: 64,
  'x-message': 'Enter a number as text, such as "250000".',
});
// An operator that is not known would let through what it was to keep out.
const Range = Type.Object(
  { gte: Type.Optional(Bound), lte: Type.Optional(Bound) },
  { additionalProperties: false, 'x-message': 'Not a valid operator. Use gte and lte.' },
);
const Filter = record(Range, {
  maxProperties: 50,
  description: 'Variable names and the range each must lie in. Case and underscores of a name do not count.',
});
const components = (schema: typeof Interactive) => ({
  chatapp_components: Type.Optional(schema),
  whatsapp_components: Type.Optional(schema),
});
export const ReplyAlt = tagged(
  'type',
  { filter: Type.Optional(Filter) },
  {
    INTERACTIVE: components(Interactive),
    LIST: components(List),
    CTA: components(CallToAction),
    FLOW: components(Flow),
    QUICK_REPLY: components(QuickReply),
  },
  { title: 'ReplyAlt', description: 'Sent instead of the reply when the filter holds.' },
);
export type ReplyAlt = Static<typeof ReplyAlt>;
export const NoReplyAlt = Type.Unsafe<Record<string, never>>({
  type: 'object',
  maxProperties: 0,
  title: 'NoReplyAlt',
  description: 'An empty object: there is no other reply.',
});
export const ReplyAltOrNone = Type.Union([ReplyAlt, NoReplyAlt]);
