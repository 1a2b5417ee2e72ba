import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeVariables, placeholdersOf } from './compose.ts';

const person = {
  phone_number: '+447700900123',
  name: ' Ana  King ',
  language_code: '',
  attributes: { 'Customer No': 17, isMember: false, name: 'not this', empty: '' },
};

describe('placeholdersOf', () => {
  it('finds the placeholders of all texts, however deep, each once', () => {
    const components = [{ parameters: [{ text: '{{ a }} {{b}}' }, { image: { url: 'https://x/{{a}}' } }] }, '{{c d}}'];
    assert.deepEqual(placeholdersOf(components), ['a', 'b', 'c d']);
  });
});

describe('makeVariables', () => {
  const values = (names: string[], fallbacks = {}) => makeVariables(names, fallbacks)(person);

  it('takes fields of the contact, then its attributes, in whatever spelling', () => {
    assert.deepEqual(values(['First Name', 'phone_number', 'customer_no', 'CustomerNo', 'is-member', 'name']), {
      'First Name': 'Ana',
      phone_number: '+447700900123',
      customer_no: '17',
      CustomerNo: '17',
      'is-member': 'false',
      name: ' Ana  King ',
    });
  });

  it('takes the fallback where there is no value or an empty one, and leaves out what has none', () => {
    assert.deepEqual(values(['language_code', 'Empty', 'deal'], { Language_Code: 'en', empty: 'full' }), {
      language_code: 'en',
      Empty: 'full',
    });
  });

  it('knows no names of objects', () => {
    assert.deepEqual(values(['constructor', '__proto__', 'toString']), {});
  });
});
