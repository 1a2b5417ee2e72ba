import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bodyValidator } from '../../../platform/http/validation/index.ts';
import { MessageCreate } from '../schemas.ts';
import { type Interactive, interactiveErrors } from './interactive.ts';

const x = (length: number) => 'x'.repeat(length);
const link = 'https://a.example/1';
const body = { text: 'Choose' };
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

const required = ['This field is required.'];
const atMost = (limit: number) => [`Ensure this field has no more than ${limit} characters.`];
const mostItems = (limit: number) => [`Ensure this field has no more than ${limit} elements.`];
const notAChoice = (word: string) => [`"${word}" is not a valid choice.`];

/** A request with one thing in it that may go so far, and what the answer says when it goes further. */
type Limit = [title: string, make: (value: never) => object, atTheEdge: unknown, beyond: unknown, errors: object];
const limit = <T>(title: string, make: (value: T) => object, atTheEdge: T, beyond: T, errors: object): Limit => [
  title,
  make,
  atTheEdge,
  beyond,
  errors,
];

const interactive = (interactive: object) => ({ type: 'INTERACTIVE', interactive });
const inAction = (errors: object) => ({ interactive: { action: errors } });

const reply = (index: number, more = {}) => ({ type: 'reply', title: `Reply ${index}`, ...more });
const quick = (buttons: object[], more = {}) => interactive({ type: 'button', body, action: { buttons }, ...more });
const quickWith = (more: object) => quick([reply(0)], more);
const oneButton = (more: object) => quick([reply(0, more)]);
const platformButton = (reply: object) => quick([{ type: 'reply', reply: { title: 'Yes', ...reply } }]);

const rows = (count: number, from = 0) => times(count, (at) => ({ title: `Row ${from + at}` }));
const list = (sections: object[], more = {}) =>
  interactive({ type: 'list', body, action: { button: 'Open', sections }, ...more });
const listWith = (more: object) => list([{ rows: rows(1) }], more);
const listButton = (button: string) =>
  interactive({ type: 'list', body, action: { button, sections: [{ rows: rows(1) }] } });
const oneRow = (more: object) => list([{ rows: [{ title: 'Row', ...more }] }]);

const cta = (parameters: object) =>
  interactive({ type: 'cta_url', body, action: { parameters: { display_text: 'Open', url: link, ...parameters } } });
const flow = (parameters: object, more = {}) =>
  interactive({ type: 'flow', body, action: { parameters: { flow_cta: 'Start', ...parameters } }, ...more });
const flowOne = (parameters: object) => flow({ flow_id: '1', ...parameters });
const inParameters = (errors: object) => inAction({ parameters: errors });
const locationRequest = (text: string) =>
  interactive({ type: 'location_request_message', body: { text }, action: { name: 'send_location' } });

const limits: Limit[] = [
  limit(
    'the kind',
    interactive,
    { type: 'button', body, action: { buttons: [reply(0)] } },
    { type: 'poll', body },
    { interactive: { type: notAChoice('poll') } },
  ),
  limit('the body', (text: string) => quickWith({ body: { text } }), x(1024), x(1025), {
    interactive: { body: { text: atMost(1024) } },
  }),
  limit('the footer', (text: string) => quickWith({ footer: { text } }), x(60), x(61), {
    interactive: { footer: { text: atMost(60) } },
  }),
  limit('the header', (text: string) => quickWith({ header: { type: 'text', text } }), x(60), x(61), {
    interactive: { header: { text: atMost(60) } },
  }),
  limit(
    'a header medium',
    (image: object) => quickWith({ header: { type: 'image', image } }),
    { url: link },
    {},
    { interactive: { header: { image: { url: required } } } },
  ),
  limit(
    'one medium in a header',
    (video: object) => quickWith({ header: { type: 'video', video } }),
    { link },
    { link, url: link },
    { interactive: { header: { video: { url: ['Give url or link or id or media_uuid, not several.'] } } } },
  ),
  limit(
    'the buttons',
    (count: number) => quick(times(count, (at) => reply(at))),
    3,
    4,
    inAction({ buttons: mostItems(3) }),
  ),
  limit(
    'the least buttons',
    (count: number) => quick(times(count, (at) => reply(at))),
    1,
    0,
    inAction({ buttons: ['This list may not be empty.'] }),
  ),
  limit(
    'a button title',
    oneButton,
    { title: x(20) },
    { title: x(21) },
    inAction({ buttons: [{ title: atMost(20) }] }),
  ),
  limit('a button id', oneButton, { id: x(256) }, { id: x(257) }, inAction({ buttons: [{ id: atMost(256) }] })),
  limit(
    "the platform's button",
    platformButton,
    { title: x(20), id: x(256) },
    { title: x(21), id: x(257) },
    inAction({ buttons: [{ reply: { title: atMost(20), id: atMost(256) } }] }),
  ),
  limit(
    'titles that differ',
    (title: string) => quick([reply(0), reply(1, { title })]),
    'reply 0',
    'Reply 0',
    inAction({ buttons: [{}, { title: ['Another button has this title.'] }] }),
  ),
  limit(
    'ids that differ',
    (id: string) => quick([reply(0, { id: 'a' }), { type: 'reply', reply: { title: 'B', id } }]),
    'b',
    'a',
    inAction({ buttons: [{}, { reply: { id: ['Another button has this id.'] } }] }),
  ),
  limit('the body of a list', (text: string) => listWith({ body: { text } }), x(4096), x(4097), {
    interactive: { body: { text: atMost(4096) } },
  }),
  limit(
    'the header of a list',
    (header: object) => listWith({ header }),
    { type: 'text', text: x(60) },
    { type: 'image', image: { url: link } },
    { interactive: { header: { type: notAChoice('image') } } },
  ),
  limit('the button of a list', listButton, x(20), x(21), inAction({ button: atMost(20) })),
  limit(
    'the sections',
    (count: number) => list(times(count, (at) => ({ title: `S${at}`, rows: rows(1, at) }))),
    10,
    11,
    inAction({ sections: mostItems(10) }),
  ),
  limit(
    'the rows of a section',
    (count: number) => list([{ rows: rows(count) }]),
    10,
    11,
    inAction({ sections: [{ rows: mostItems(10) }] }),
  ),
  limit(
    'the rows in all',
    (count: number) =>
      list([
        { title: 'A', rows: rows(5) },
        { title: 'B', rows: rows(count, 5) },
      ]),
    5,
    6,
    inAction({ sections: ['Ensure the sections have no more than 10 rows in total.'] }),
  ),
  limit(
    'section titles',
    (title: object) =>
      list([
        { title: 'A', rows: rows(1) },
        { ...title, rows: rows(1, 1) },
      ]),
    { title: x(24) },
    {},
    inAction({ sections: [{}, { title: required }] }),
  ),
  limit(
    'a section title',
    (title: string) => list([{ title, rows: rows(1) }]),
    x(24),
    x(25),
    inAction({ sections: [{ title: atMost(24) }] }),
  ),
  limit(
    'a row title',
    oneRow,
    { title: x(24) },
    { title: x(25) },
    inAction({ sections: [{ rows: [{ title: atMost(24) }] }] }),
  ),
  limit(
    'a row description',
    oneRow,
    { description: x(72) },
    { description: x(73) },
    inAction({ sections: [{ rows: [{ description: atMost(72) }] }] }),
  ),
  limit('a row id', oneRow, { id: x(200) }, { id: x(201) }, inAction({ sections: [{ rows: [{ id: atMost(200) }] }] })),
  limit(
    'row ids that differ',
    (id: string) =>
      list([
        { title: 'A', rows: [{ title: '1', id: 'a' }] },
        { title: 'B', rows: [{ title: '2' }, { title: '3', id }] },
      ]),
    'b',
    'a',
    inAction({ sections: [{}, { rows: [{}, { id: ['Another row has this id.'] }] }] }),
  ),
  limit(
    'the label of a link',
    cta,
    { display_text: x(20) },
    { display_text: x(21) },
    inParameters({ display_text: atMost(20) }),
  ),
  limit('a link', cta, {}, { url: '{{link}}' }, inParameters({ url: ['Enter a valid URL.'] })),
  limit(
    'the label of a flow',
    flowOne,
    { flow_cta: x(30) },
    { flow_cta: x(31) },
    inParameters({ flow_cta: atMost(30) }),
  ),
  limit(
    'one name of a flow',
    flow,
    { flow_name: 'a' },
    { flow_name: 'a', flow_id: '1' },
    inParameters({ flow_id: ['Give flow_id or flow_name, not both.'] }),
  ),
  limit('a name of a flow', flow, { flow_id: '1' }, {}, inParameters({ flow_id: required })),
  limit(
    'the mode of a flow',
    flowOne,
    { mode: 'published' },
    { mode: 'live' },
    inParameters({ mode: notAChoice('live') }),
  ),
  limit(
    'the action of a flow',
    flowOne,
    { flow_action: 'data_exchange' },
    { flow_action: 'jump' },
    inParameters({ flow_action: notAChoice('jump') }),
  ),
  limit(
    'the data of a flow',
    flowOne,
    { flow_action_payload: { data: { a: 1 } } },
    { flow_action_payload: { data: {} } },
    inParameters({ flow_action_payload: { data: ['This dictionary may not be empty.'] } }),
  ),
  limit(
    'a payload',
    flowOne,
    { flow_action: 'navigate', flow_action_payload: { screen: 'A' } },
    { flow_action: 'data_exchange', flow_action_payload: { screen: 'A' } },
    inParameters({ flow_action_payload: ['Only a flow that navigates takes a payload.'] }),
  ),
  limit(
    'the header of a flow',
    (header: object) => flow({ flow_id: '1' }, { header }),
    { type: 'text', text: 'A' },
    { type: 'video', video: { url: link } },
    { interactive: { header: { type: notAChoice('video') } } },
  ),
  limit('a location request', locationRequest, x(1024), x(1025), { interactive: { body: { text: atMost(1024) } } }),
];

describe('An interactive message keeps the limits of the platform', () => {
  const check = bodyValidator(MessageCreate);
  const numbers = { chatapp_number: '+447700900001', to_chatapp_number: '+447700901234' };
  const errorsOf = (request: object) => {
    const errors = check({ ...numbers, ...request });
    if (errors) return errors;
    const found = interactiveErrors((request as { interactive: Interactive }).interactive);
    return found && { interactive: found };
  };

  for (const [title, make, atTheEdge, beyond, errors] of limits) {
    it(`accepted at the limit of ${title}, refused beyond`, () => {
      assert.equal(errorsOf(make(atTheEdge as never)), undefined);
      assert.deepEqual(errorsOf(make(beyond as never)), errors);
    });
  }
});
