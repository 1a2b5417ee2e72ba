import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FieldErrors } from '../../../platform/errors.ts';
import { definitionErrors } from './check.ts';
import type { Component, Definition } from './schemas.ts';

const body = { type: 'BODY', text: 'Your order is on its way.' } as const;
const image = { type: 'HEADER' as const, format: 'IMAGE' as const, example: { header_handle: ['4::aW1'] } };
const reply = { type: 'QUICK_REPLY', text: 'Yes' } as const;
const link = { type: 'URL', text: 'Open', url: 'https://example.com' } as const;
const call = { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+34900111222' } as const;
const coupon = { type: 'COPY_CODE', example: 'SAVE20' } as const;
const otp = { type: 'OTP', otp_type: 'COPY_CODE' } as const;
const offer = { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Ends soon' } } as const;
type Buttons = Extract<Component, { type: 'BUTTONS' }>['buttons'];
const withButtons = (...buttons: Buttons): Component => ({ type: 'BUTTONS', buttons });
const card = (...components: object[]) => ({ components }) as never;
const carousel = (...cards: never[]): Component => ({ type: 'CAROUSEL', cards });
const cardButtons = withButtons(reply);

const errorsOf = (components: Component[], more: Partial<Definition> = {}): FieldErrors | undefined =>
  definitionErrors({ category: 'UTILITY', parameter_format: 'POSITIONAL', components, ...more });
const atBody = (text: string, example: object = {}, more: Partial<Definition> = {}) =>
  errorsOf([{ type: 'BODY', text, example }], more);
const named = { parameter_format: 'NAMED' } as const;
const code = { category: 'AUTHENTICATION' };

const good: [string, Component[], Partial<Definition>?][] = [
  ['a body', [body]],
  ['every kind of component', [image, body, { type: 'FOOTER', text: 'Bye' }, withButtons(reply, link, call, coupon)]],
  ['a location', [{ type: 'HEADER', format: 'LOCATION' }, body]],
  [
    'a file of ours',
    [{ type: 'HEADER', format: 'DOCUMENT', media_uuid: '01890000-0000-7000-8000-000000000000' }, body],
  ],
  ['quick replies together, after others', [body, withButtons(link, reply, reply, call)]],
  [
    'numbered variables, one of them twice',
    [
      {
        type: 'BODY',
        text: 'Hi {{1}}, order {{2}} for {{1}} is on its way.',
        example: { body_text: [['Ana', 'A-17']] },
      },
    ],
  ],
  [
    'named variables',
    [
      {
        type: 'HEADER',
        format: 'TEXT',
        text: 'Hi {{name}}',
        example: { header_text_named_params: [{ param_name: 'name', example: 'Ana' }] },
      },
      {
        type: 'BODY',
        text: 'Hi {{name}}, your order {{ref}} is ready.',
        example: {
          body_text_named_params: [
            { param_name: 'ref', example: 'A-17' },
            { param_name: 'name', example: 'Ana' },
          ],
        },
      },
    ],
    named,
  ],
  [
    'a link that ends in a variable',
    [body, withButtons({ ...link, url: 'https://example.com/{{1}}', example: ['https://example.com/a'] })],
  ],
  ['a code', [{ type: 'BODY', add_security_recommendation: true }, withButtons(otp)], code],
  ['a code that ends', [{ type: 'BODY' }, { type: 'FOOTER', code_expiration_minutes: 5 }, withButtons(otp)], code],
  ['an offer', [image, body, offer, withButtons(coupon, link)]],
  ['a carousel', [body, carousel(card(image, body, cardButtons), card(image, body, cardButtons))]],
  ['a flow', [body, withButtons({ type: 'FLOW', text: 'Fill in', flow_id: '17' })]],
];

const bad: [string, FieldErrors | undefined, FieldErrors][] = [
  ['no body', errorsOf([image]), { components: ['A BODY is required.'] }],
  ['two bodies', errorsOf([body, body]), { components: [{}, { type: ['Given twice.'] }] }],
  ['a body without text', errorsOf([{ type: 'BODY' }]), { components: [{ text: ['This field is required.'] }] }],
  ['a variable at the start', atBody('{{1}} is your code for today', { body_text: [['1']] }), atText('edge')],
  ['a variable at the end', atBody('Your code for today is {{1}} ', { body_text: [['1']] }), atText('edge')],
  ['a gap', atBody('Hello {{1}} and also {{3}} here', { body_text: [['1', '2']] }), atText('numbers')],
  ['not from 1', atBody('Hello to {{2}} and you', { body_text: [['1']] }), atText('numbers')],
  ['a name among numbers', atBody('Hello to {{name}} and you', { body_text: [['1']] }), atText('numbers')],
  ['a number among names', atBody('Hello to {{1}} and you', {}, named), atText('names')],
  ['a name in capitals', atBody('Hello to {{Name}} and you', {}, named), atText('names')],
  ['too many variables', atBody('Dear {{1}} {{2}} {{3}} bye', { body_text: [['1', '2', '3']] }), atText('many')],
  ['no example', atBody('Hello dear {{1}}, welcome'), atExample('body_text', 'number')],
  [
    'too few examples',
    atBody('Hello dear {{1}}, your {{2}} came', { body_text: [['1']] }),
    atExample('body_text', 'number'),
  ],
  [
    'an example of another name',
    atBody('Hello dear {{a}}, welcome', { body_text_named_params: [{ param_name: 'b', example: '1' }] }, named),
    atExample('body_text_named_params', 'name'),
  ],
  [
    'a security recommendation elsewhere',
    errorsOf([{ ...body, add_security_recommendation: true }]),
    { components: [{ add_security_recommendation: ['For authentication templates only.'] }] },
  ],
  [
    'two variables in a header',
    errorsOf([{ type: 'HEADER', format: 'TEXT', text: '{{1}} {{2}}' }, body]),
    { components: [{ text: ['A header has at most one variable.'] }, {}] },
  ],
  [
    'a header without example',
    errorsOf([{ type: 'HEADER', format: 'TEXT', text: 'Hi {{1}}' }, body]),
    { components: [{ example: { header_text: ['Give one example for each variable.'] } }, {}] },
  ],
  [
    'a header without sample',
    errorsOf([{ type: 'HEADER', format: 'VIDEO' }, body]),
    { components: [{ media_uuid: ['Give a file, or an example with its handle.'] }, {}] },
  ],
  [
    'a header with two samples',
    errorsOf([{ ...image, media_uuid: '01890000-0000-7000-8000-000000000000' }, body]),
    { components: [{ media_uuid: ['Give either this or an example.'] }, {}] },
  ],
  [
    'a variable in the footer',
    errorsOf([body, { type: 'FOOTER', text: 'Bye {{1}}' }]),
    { components: [{}, { text: ['A footer has no variables.'] }] },
  ],
  [
    'an empty footer',
    errorsOf([body, { type: 'FOOTER' }]),
    { components: [{}, { text: ['This field is required.'] }] },
  ],
  [
    'three links',
    errorsOf([body, withButtons(link, link, link)]),
    atButton(3, 2, 'At most 2 of this type are allowed.'),
  ],
  ['two numbers', errorsOf([body, withButtons(call, call)]), atButton(2, 1, 'At most 1 of this type is allowed.')],
  ['two coupons', errorsOf([body, withButtons(coupon, coupon)]), atButton(2, 1, 'At most 1 of this type is allowed.')],
  [
    'quick replies apart',
    errorsOf([body, withButtons(reply, link, reply)]),
    atButton(3, 2, 'Quick replies must stand together.'),
  ],
  ['a code elsewhere', errorsOf([body, withButtons(otp)]), atButton(1, 0, 'For authentication templates only.')],
  [
    'a variable within a link',
    errorsOf([body, withButtons({ ...link, url: 'https://example.com/{{1}}/x', example: ['x'] })]),
    { components: [{}, { buttons: [{ url: ['It may end in one variable, {{1}}, and have no other.'] }] }] },
  ],
  [
    'a link without example',
    errorsOf([body, withButtons({ ...link, url: 'https://example.com/{{1}}' })]),
    { components: [{}, { buttons: [{ example: ['Give an example of the whole address.'] }] }] },
  ],
  [
    'a flow twice named',
    errorsOf([body, withButtons({ type: 'FLOW', text: 'Go', flow_id: '1', flow_name: 'x' })]),
    { components: [{}, { buttons: [{ flow_id: ['Give one of flow_id, flow_name and flow_json.'] }] }] },
  ],
  [
    'a code without its button',
    errorsOf([{ type: 'BODY' }], code),
    { components: ['An authentication template needs BUTTONS with a button of type OTP.'] },
  ],
  [
    'a code with another button',
    errorsOf([{ type: 'BODY' }, withButtons(otp, reply)], code),
    { components: [{}, { buttons: ['An authentication template has exactly one button, of type OTP.'] }] },
  ],
  [
    'a code with a text and a header',
    errorsOf([image, body, { type: 'FOOTER', text: 'Bye' }, withButtons(otp)], code),
    {
      components: [
        { type: ['Not in authentication templates.'] },
        { text: ['Not in authentication templates.'] },
        { text: ['Not in authentication templates.'] },
        {},
      ],
    },
  ],
  [
    'one tap without an app',
    errorsOf([{ type: 'BODY' }, withButtons({ ...otp, otp_type: 'ONE_TAP' })], code),
    { components: [{}, { buttons: [{ supported_apps: ['This field is required.'] }] }] },
  ],
  [
    'an offer with a long body, a footer and a late code',
    errorsOf([
      { type: 'BODY', text: 'x'.repeat(601) },
      offer,
      { type: 'FOOTER', text: 'Bye' },
      withButtons(link, coupon),
    ]),
    {
      components: [
        { text: ['Ensure this field has no more than 600 characters.'] },
        {},
        { type: ['Not beside a LIMITED_TIME_OFFER.'] },
        { buttons: [{}, { type: ['In an offer, this must be the first button.'] }] },
      ],
    },
  ],
  [
    'an offer under a text',
    errorsOf([{ type: 'HEADER', format: 'TEXT', text: 'Hi' }, body, offer]),
    { components: [{ format: ['An offer has an IMAGE or a VIDEO.'] }, {}, {}] },
  ],
  [
    'a carousel beside buttons',
    errorsOf([body, carousel(card(image, cardButtons), card(image, cardButtons)), withButtons(reply)]),
    { components: [{}, {}, { type: ['Only a BODY goes with a CAROUSEL.'] }] },
  ],
  [
    'a card without a picture, and one with a long text',
    errorsOf([
      body,
      carousel(card(body, cardButtons), card(image, { type: 'BODY', text: 'x'.repeat(161) }, cardButtons)),
    ]),
    {
      components: [
        {},
        {
          cards: [
            { components: ['A card needs a HEADER with an image or a video.'] },
            { components: [{}, { text: ['Ensure this field has no more than 160 characters.'] }, {}] },
          ],
        },
      ],
    },
  ],
  [
    'a card without buttons',
    errorsOf([body, carousel(card(image, cardButtons), card(image))]),
    { components: [{}, { cards: [{}, { components: ['A card needs BUTTONS.'] }] }] },
  ],
  ...[
    card({ ...image, format: 'VIDEO' }, cardButtons),
    card(image, body, cardButtons),
    card(image, withButtons(link)),
  ].map((other): [string, FieldErrors | undefined, FieldErrors] => [
    `cards that differ: ${JSON.stringify(other)}`,
    errorsOf([body, carousel(card(image, cardButtons), other)]),
    {
      components: [
        {},
        { cards: [{}, { components: ['All cards must have the same kind of header, text and buttons.'] }] },
      ],
    },
  ]),
];

function atText(which: 'edge' | 'numbers' | 'names' | 'many'): FieldErrors {
  const sentence = {
    edge: 'A variable cannot stand at the start or at the end.',
    numbers: 'Variables are numbered {{1}}, {{2}} and so on, in order and without gaps.',
    names: 'Variables are named with lower-case letters, digits and underscores, such as {{first_name}}.',
    many: 'There are too many variables for so few words.',
  }[which];
  return { components: [{ text: [sentence] }] };
}

function atExample(field: string, by: 'number' | 'name'): FieldErrors {
  const sentence = `Give one example for each variable${by === 'name' ? ', by its name' : ''}.`;
  return { components: [{ example: { [field]: [sentence] } }] };
}

function atButton(count: number, wrong: number, sentence: string): FieldErrors {
  const buttons = Array.from(
    { length: count },
    (_, index): FieldErrors => (index === wrong ? { type: [sentence] } : {}),
  );
  return { components: [{}, { buttons }] };
}

describe('the definition of a template', () => {
  for (const [title, components, more] of good) {
    test(`is accepted: ${title}`, () => assert.equal(errorsOf(components, more), undefined));
  }
  for (const [title, errors, expected] of bad) {
    test(`is refused with the place named: ${title}`, () => assert.deepEqual(errors, expected));
  }
});
