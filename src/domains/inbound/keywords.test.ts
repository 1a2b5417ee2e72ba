import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import type { InboundEvent, InboundMessage } from '../../carriers/ports/inbox.ts';
import { newId } from '../../platform/ids.ts';
import { receiveSms } from '../sms/index.ts';
import { receiveEvents } from './receive.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

const business = '+447700900001';
const sender = { number: business };
const personOf = (digits: string) => ({ number: `+${digits}`, userId: null });

const text = (from: string, body: string, at = new Date()): InboundMessage => ({
  kind: 'message',
  sender,
  id: newId(),
  from: personOf(from),
  name: '',
  type: 'TEXT',
  content: { text: { body } },
  context: {},
  at,
});
const preference = (from: string, wantsMarketing: boolean, at = new Date()): InboundEvent => ({
  kind: 'preference',
  sender,
  from: personOf(from),
  wantsMarketing,
  text: '',
  at,
});
const eventOf = (from: string, word: string, at: Date): InboundEvent =>
  word.startsWith('platform ') ? preference(from, word === 'platform yes', at) : text(from, word, at);

interface Word {
  from: string;
  word: string;
  at: Date;
}
const inChat = (words: Word[], options = {}) =>
  receiveEvents(
    app.deps,
    app.accountId,
    'sandbox',
    words.map(({ from, word, at }) => eventOf(from, word, at)),
    options,
  );
const link = { accountId: '', uuid: newId(), carrier: 'sandbox' };
const bySms = (words: Word[]) =>
  receiveSms(
    app.deps,
    { ...link, accountId: app.accountId },
    words.map(({ from, word, at }) => {
      return { kind: 'message', id: null, from, to: business.slice(1), text: word, encoding: 'GSM7', at };
    }),
  );

/** What somebody is out of; with a question mark if they may be answered all the same. */
async function outOf(digits: string): Promise<string> {
  const rows = await app.deps.db
    .selectFrom('opt_outs')
    .select(['channel', 'answer_until'])
    .where('account_id', '=', app.accountId)
    .where('digits', '=', digits)
    .orderBy('channel')
    .execute();
  const mayBeAnswered = rows.length > 0 && rows.every(({ answer_until }) => answer_until !== null);
  return rows.map(({ channel }) => channel).join(' ') + (mayBeAnswered ? '?' : '');
}

/** Everything that can be said in so many messages. */
const sequences = (words: string[], length: number): string[][] =>
  length === 0 ? [[]] : sequences(words, length - 1).flatMap((said) => words.map((word) => [...said, word]));

const keywords = ['STOP', 'STOPALL', 'START', 'Hello'];
const ways = [
  {
    name: 'chat',
    words: [...keywords, 'platform yes', 'platform no'],
    receive: inChat,
    prefix: '4477001',
    channel: 'CHATAPP',
  },
  { name: 'SMS', words: keywords, receive: bySms, prefix: '4477002', channel: 'SMS' },
];

for (const { name, words, receive, prefix, channel } of ways) {
  describe(`Opt-out keywords by ${name}`, () => {
    const startMs = Date.now() - 3_600_000;
    const said = sequences(words, 3);
    const digitsOf = (group: number, index: number) => `${prefix}${group}${String(index).padStart(4, '0')}`;
    const wordsOf = (group: number) =>
      said.flatMap((some, index) =>
        some.map((word, place) => ({ from: digitsOf(group, index), word, at: new Date(startMs + place * 1000) })),
      );

    it('of many people in one batch mean what they mean one by one', async () => {
      await receive(wordsOf(1));
      for (let place = 0; place < 3; place++) await receive(wordsOf(2).filter((_, index) => index % 3 === place));
      for (const [index, some] of said.entries()) {
        const [together, apart] = [await outOf(digitsOf(1, index)), await outOf(digitsOf(2, index))];
        assert.equal(together, apart, some.join(', '));
      }
      assert.equal(
        await outOf(
          digitsOf(
            1,
            said.findIndex((some) => some.join() === 'STOPALL,STOP,Hello'),
          ),
        ),
        `ALL ${channel}?`,
      );
    });

    it('count in the order in which people wrote, not in the order in which they came', async () => {
      await receive(wordsOf(3).toReversed());
      for (const [index, some] of said.entries()) {
        assert.equal(await outOf(digitsOf(3, index)), await outOf(digitsOf(1, index)), some.join(', '));
      }
    });

    it('written in the same moment count in the order in which they came', async () => {
      const at = new Date(startMs);
      const from = digitsOf(4, 0);
      const all = ['START', 'STOP', 'START', 'STOPALL', 'STOP'].map((word) => ({ from, word, at }));
      await receive(all.slice(0, 3));
      assert.equal(await outOf(from), '');
      await receive(all);
      assert.equal(await outOf(from), ['ALL', channel].join(' '));
    });
  });
}

describe('What is read late', () => {
  const at = new Date();
  const say = (from: string, word: string, options = {}) => inChat([{ from, word, at }], options);

  it('does not lift an opt-out that was said again since, nor lets it be answered', async () => {
    const from = '447700390001';
    await say(from, 'STOP');
    const lateSince = new Date();
    await say(from, 'STOP');
    await say(from, 'START', { lateSince });
    assert.equal(await outOf(from), 'CHATAPP');
    await say(from, 'Hello', { lateSince });
    assert.equal(await outOf(from), 'CHATAPP');
  });

  it('lifts what was said before it, and still opts out', async () => {
    const from = '447700390002';
    await say(from, 'STOPALL');
    await say(from, 'START', { lateSince: new Date() });
    assert.equal(await outOf(from), '');
    await say(from, 'STOP', { lateSince: new Date(0) });
    assert.equal(await outOf(from), 'CHATAPP');
  });
});
