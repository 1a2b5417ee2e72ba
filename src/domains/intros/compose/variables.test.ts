import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { introOf } from '../../../../test/kit/intros/make-intro.ts';
import { answersOf, sessionVariables, tellingOf } from './variables.ts';

const nothing = { answers: {}, given: {}, told: {}, bpartyShortcode: 'bbbbbbbbbb', apartyShortcode: null };
const origin = 'https://parley.example';

describe('sessionVariables', () => {
  it('takes each name from where precedence is highest, and an empty extra variable from further down', () => {
    const extra_variable_data = { a: 'extra', b: 'extra', c: 'extra', d: '', chat_link: 'extra' };
    const session = {
      ...nothing,
      answers: { a: 'answer' },
      given: { a: 'given', b: 'given' },
      told: { a: 'told', b: 'told', c: 'told', d: 'told', intro_chat_shortcode: 'told' },
    };
    assert.deepEqual(sessionVariables(session, introOf({ extra_variable_data }), origin), {
      a: 'answer',
      b: 'given',
      c: 'extra',
      d: 'told',
      chat_link: 'https://parley.example/l/k7m2q9xw4t',
      intro_chat_shortcode: 'bbbbbbbbbb',
      intro_chat_link: 'https://parley.example/l/bbbbbbbbbb',
    });
  });

  it('lets a person set nothing under a name that is made here, nor one that a filter takes for it', () => {
    const forged = ['intro_chat_link', 'IntroChatLink', 'Reference_ID', 'intro_chat_link_aparty', 'chatlink'];
    const answers = Object.fromEntries([...forged, 'budget'].map((name) => [name, 'https://evil.example']));
    const given = { reference_id: 'given' };
    assert.deepEqual(sessionVariables({ ...nothing, answers, given }, introOf({}), origin), {
      chat_link: 'https://parley.example/l/k7m2q9xw4t',
      intro_chat_shortcode: 'bbbbbbbbbb',
      intro_chat_link: 'https://parley.example/l/bbbbbbbbbb',
      budget: 'https://evil.example',
      reference_id: 'given',
    });
  });

  it('makes the reference and absolute links, those to B only where there is such a link', () => {
    const intro = introOf({ reference_id: 'REF-1' });
    const links = {
      reference_id: 'REF-1',
      chat_link: 'https://parley.example/l/k7m2q9xw4t',
      intro_chat_shortcode: 'bbbbbbbbbb',
      intro_chat_link: 'https://parley.example/l/bbbbbbbbbb',
    };
    assert.deepEqual(sessionVariables(nothing, intro, origin), links);
    assert.deepEqual(sessionVariables({ ...nothing, apartyShortcode: 'aaaaaaaaaa' }, intro, origin), {
      ...links,
      intro_chat_link_aparty_shortcode: 'aaaaaaaaaa',
      intro_chat_link_aparty: 'https://parley.example/l/aaaaaaaaaa',
    });
  });

  it('has variables named like what every object has', () => {
    const answers = JSON.parse('{"__proto__":"p","constructor":"c"}');
    const variables = sessionVariables({ ...nothing, answers }, introOf({}), origin);
    assert.deepEqual([Object.hasOwn(variables, '__proto__'), variables['constructor']], [true, 'c']);
    assert.equal(Object.getPrototypeOf(variables), Object.prototype);
  });
});

describe('tellingOf', () => {
  const person = { number: '+27821234567', userId: null };

  it('gives the name and the number', () => {
    assert.deepEqual(tellingOf({ name: ' Ana ', from: person }), {
      APartyDataContactName: 'Ana',
      APartyDataContactPhonenumber: '+27821234567',
    });
  });

  it('gives nothing for what is not known; an id is no number', () => {
    assert.deepEqual(tellingOf({ name: ' ', from: { number: null, userId: 'ZA.1a' } }), {});
    assert.deepEqual(tellingOf({ name: '', from: { number: 'ZA.1a', userId: 'ZA.1a' } }), {});
  });
});

describe('answersOf', () => {
  const flow = (answers: object) => answersOf({ interactive: { type: 'nfm_reply', nfm_reply: { answers } } });

  it('writes the answers of a flow as a person would', () => {
    const answers = {
      text: 'cash',
      number: 3.5,
      yes: true,
      many: ['a', 2, null, { b: 1 }],
      object: { c: [1] },
      no: null,
    };
    assert.deepEqual(flow(answers), {
      text: 'cash',
      number: '3.5',
      yes: 'true',
      many: 'a, 2, {"b":1}',
      object: '{"c":[1]}',
    });
  });

  it('names what was tapped', () => {
    const reply = { id: 'call', title: 'Call me' };
    assert.deepEqual(answersOf({ interactive: { type: 'button_reply', button_reply: reply } }), {
      button_id: 'call',
      button_title: 'Call me',
    });
    assert.deepEqual(answersOf({ interactive: { type: 'list_reply', list_reply: { ...reply, description: '' } } }), {
      list_id: 'call',
      list_title: 'Call me',
    });
  });

  it('finds none in other messages', () => {
    for (const data of [{ text: { body: 'x' } }, { interactive: null }, { interactive: { nfm_reply: {} } }, {}]) {
      assert.deepEqual(answersOf(data), {});
    }
  });

  it('is bounded in count and length, and cuts no character in two', () => {
    const answers = flow({ long: '😀'.repeat(1_000_000), ['n'.repeat(256)]: 'x', ...Array(1_000).fill('x') });
    assert.equal(Object.keys(answers).length, 200);
    assert.ok(Object.entries(answers).every(([name, value]) => name.length <= 255 && [...value].length <= 4096));
    assert.equal(flow({ long: '😀'.repeat(5_000) })['long'], `${'😀'.repeat(4095)}…`);
  });

  it('takes a name like __proto__ for a name', () => {
    const answers = flow(JSON.parse('{"__proto__":"p","toString":1}'));
    assert.deepEqual(Object.entries(answers), [
      ['__proto__', 'p'],
      ['toString', '1'],
    ]);
  });
});
