import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keywordOf } from './keywords.ts';

const none = { optOutKeywords: new Set<string>(), helpText: null };
const own = { optOutKeywords: new Set(['ARRÊT', 'ОТПИСАТЬСЯ', 'NO MORE']), helpText: 'Call us on 020 7946 0000.' };

const cases: [text: string, chat: string | undefined, sms: string | undefined][] = [
  ['STOP', 'STOP', 'STOP'],
  [' stop. ', 'STOP', 'STOP'],
  ['Unsubscribe!', 'STOP', 'STOP'],
  ['STOPALL', 'STOPALL', 'STOPALL'],
  ['stop  all', 'STOPALL', 'STOPALL'],
  ['CANCEL', undefined, 'STOP'],
  ['End', undefined, 'STOP'],
  ['quit', undefined, 'STOP'],
  ['REVOKE', undefined, 'STOP'],
  ['OPTOUT', undefined, 'STOP'],
  ['opt out', undefined, 'STOP'],
  ['START', 'START', 'START'],
  ['unstop', 'START', 'START'],
  ['Yes!', 'START', 'START'],
  ['HELP', undefined, 'HELP'],
  ['info', undefined, 'HELP'],
  ['Stop by tomorrow', undefined, undefined],
  ['arrêt', undefined, undefined],
  ['', undefined, undefined],
];

describe('A keyword', () => {
  for (const [text, chat, sms] of cases) {
    it(`“${text}” is ${chat ?? 'none'} in chats and ${sms ?? 'none'} in texts`, () => {
      assert.deepEqual([keywordOf(text, 'CHATAPP', none), keywordOf(text, 'SMS', none)], [chat, sms]);
    });
  }

  it('of the account opts out on both channels, and its own answer makes HELP one in chats', () => {
    for (const text of ['arrêt', 'Отписаться.', 'no  more']) {
      assert.deepEqual([keywordOf(text, 'CHATAPP', own), keywordOf(text, 'SMS', own)], ['STOP', 'STOP'], text);
    }
    assert.equal(keywordOf('Help', 'CHATAPP', own), 'HELP');
    assert.equal(keywordOf('info', 'CHATAPP', own), 'HELP');
  });
});
