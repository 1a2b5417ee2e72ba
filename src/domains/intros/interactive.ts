import { type TSchema, Type } from 'typebox';
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
