import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../../test/kit/characters.ts';
import type { InboundEvent } from '../../ports/inbox.ts';
import { interpret } from './interpret.ts';

const read = (body: unknown): InboundEvent[] => interpret(Buffer.from(JSON.stringify(body)));
const messages = (...items: unknown[]) => ({
  entry: [
    { id: '1', changes: [{ field: 'messages', value: { metadata: { phone_number_id: '2' }, messages: items } }] },
  ],
});
const good = { id: 'wamid.1', from: '34600111222', timestamp: '1690000000', type: 'text', text: { body: 'hi' } };

/** Whether PostgreSQL could keep it, and every reader walk it. */
function assertStorable(events: InboundEvent[]): void {
  const text = JSON.stringify(events);
  assert.ok(!text.includes('\\u0000') && !/\\ud[89a-f]/.test(text), text.slice(0, 200));
  for (const event of events) {
    if ('at' in event) assert.ok(event.at.getTime() > 0 && event.at.getUTCFullYear() <= 9999);
    if (event.kind === 'message') assert.ok(event.id && (event.from.number ?? event.from.userId));
  }
}

/** Keys and values as they occur in webhooks, put together in every wrong way. */
const names =
  'id from from_user_id type timestamp text image interactive button system context reaction body errors statuses messages metadata contacts nfm_reply response_json __proto__ constructor'.split(
    ' ',
  );
const leaf = fc.oneof(
  fc.constantFrom<unknown>(
    'text',
    'system',
    'nfm_reply',
    '34600111222',
    'ES.1',
    '1690000000',
    1690000000,
    '\0',
    '\ud800',
    '',
  ),
  fc.string({ unit: anyCharacter }),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
);
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    leaf,
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string({ unit: anyCharacter })), tie('tree'), { maxKeys: 6 }),
  ),
}));
const field = fc.constantFrom(
  'messages',
  'user_preferences',
  'message_template_status_update',
  'message_template_quality_update',
  'template_category_update',
  'flows',
  'phone_number_quality_update',
  'toString',
);

describe('interpret', () => {
  it('throws for what is not JSON, and for what has no list of entries', () => {
    for (const body of ['', '{', '\ufeff{}', 'null', '3', '"entry"', '[]', '{}', '{"entry":null}', '{"entry":{}}']) {
      assert.throws(() => interpret(Buffer.from(body)), body);
    }
    assert.deepEqual(read({ entry: [] }), []);
    assert.deepEqual(read({ entry: [{ id: '1', changes: [] }] }), []);
  });

  it('never throws for any update, and answers what can be stored', () => {
    fc.assert(
      fc.property(field, tree, tree, (field, value, entry) => {
        assertStorable(read({ entry: [{ id: '1', changes: [{ field, value }, value] }, entry] }));
      }),
      { numRuns: 500 },
    );
  });

  it('never throws for any message or status, and reads the good one beside it', () => {
    const strange = fc.record(
      {
        id: fc.oneof(fc.constant('wamid.2'), tree),
        from: fc.oneof(fc.constant('34600111222'), tree),
        timestamp: fc.oneof(fc.constant('1690000000'), tree),
        type: fc.oneof(
          fc.constantFrom('text', 'image', 'interactive', 'button', 'system', 'reaction', 'contacts'),
          tree,
        ),
        text: tree,
        image: tree,
        interactive: fc.oneof(tree, fc.record({ type: fc.constantFrom('nfm_reply', 'button_reply'), nfm_reply: tree })),
        button: tree,
        system: fc.oneof(tree, fc.record({ type: fc.constant('user_changed_number'), wa_id: tree, user_id: tree })),
        reaction: tree,
        contacts: tree,
        context: tree,
        referral: tree,
      },
      { requiredKeys: ['id', 'from', 'timestamp', 'type'] },
    );
    fc.assert(
      fc.property(strange, (item) => {
        const events = read(messages(item, good));
        assertStorable(events);
        assert.equal(events.length, 2);
        const last = events[1]!;
        assert.ok(last.kind === 'message' && last.id === 'wamid.1');
      }),
      { numRuns: 500 },
    );
  });

  it('makes a notice of an update that says not which message it is, of whom, or when', () => {
    const { id: _id, ...nameless } = good;
    const { from: _from, ...nobody } = good;
    const broken = [
      nameless,
      nobody,
      { ...good, timestamp: 'soon' },
      { ...good, timestamp: '99999999999999' },
      null,
      'x',
    ];
    const events = read(messages(...broken, good));
    assert.deepEqual(
      events.map((event) => (event.kind === 'notice' ? event.title : event.kind)),
      [...broken.map(() => 'unreadable_update'), 'message'],
    );
    const first = events[0]!;
    assert.ok(first.kind === 'notice');
    assert.deepEqual(first.data, { field: 'messages', update: nameless });
    assert.deepEqual(first.sender, { numberId: '2' });
  });

  it('refuses ids that no index could hold', () => {
    const [event] = read(messages({ ...good, id: 'w'.repeat(5000) }));
    assert.equal(event!.kind, 'notice');
  });

  it('cuts off what is nested without end, with and without long numbers', () => {
    const deep = 200_000;
    for (const core of ['1', '12345678901234567890']) {
      const nested = '{"a":'.repeat(deep) + core + '}'.repeat(deep);
      const item = JSON.stringify({ ...good, type: 'hologram', hologram: 'HERE' }).replace('"HERE"', nested);
      const events = interpret(Buffer.from(JSON.stringify(messages('HERE', good)).replace('"HERE"', item)));
      assert.deepEqual(
        events.map((event) => (event.kind === 'message' ? event.type : event.kind)),
        ['UNSUPPORTED', 'TEXT'],
      );
      assertStorable(events);
    }
  });

  it('replaces null characters and half surrogate pairs, in fields, names and texts', () => {
    const item = { ...good, type: 'order', order: { 'a\0': 'b\0', '\ud800': '\udc00', fine: '😀' } };
    const [event] = read(messages(item));
    assert.ok(event?.kind === 'message');
    assert.deepEqual(event.content, { order: { 'a\ufffd': 'b\ufffd', '\ufffd': '\ufffd', fine: '😀' } });
  });
});
