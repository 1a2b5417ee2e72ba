import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { outbound } from '../../../test/kit/cloud-api/connector.ts';
import type { OutboundMessage, Outcome } from '../ports/chat.ts';
import { sendAll } from './send.ts';

const sender = { accountId: 'a', uuid: 'b', number: '+34900111222', settings: {} };
const messagesTo = (...numbers: string[]) => numbers.map((toNumber) => outbound(sender, { toNumber }));
const accepted: Outcome = { kind: 'accepted', carrierMessageId: 'x' };

/** Sends with a carrier that takes a moment, and tells what it saw. */
async function observe(messages: OutboundMessage[], outcomeOf: (message: OutboundMessage) => Outcome = () => accepted) {
  const started: OutboundMessage[] = [];
  const underWay: OutboundMessage[] = [];
  let most = 0;
  let mostOfOne = 0;
  const outcomes = await sendAll(messages, async (message) => {
    started.push(message);
    underWay.push(message);
    most = Math.max(most, underWay.length);
    const digits = (number: string) => number.replace(/\D/g, '');
    const ofOne = underWay.filter(({ toNumber }) => digits(toNumber) === digits(message.toNumber));
    mostOfOne = Math.max(mostOfOne, ofOne.length);
    await sleep(1 + (started.length % 3));
    underWay.splice(underWay.indexOf(message), 1);
    return outcomeOf(message);
  });
  return { outcomes, started, most, mostOfOne };
}

describe('A batch', () => {
  it('has at most 100 messages under way', async () => {
    const messages = messagesTo(...Array.from({ length: 450 }, (_, at) => `+3460000${1000 + at}`));
    const { most, started, outcomes } = await observe(messages);
    assert.equal(most, 100);
    assert.equal(new Set(started).size, 450);
    assert.equal(outcomes.length, 450);
  });

  it('has one message to a person under way, in their order, however the number is written', async () => {
    const notations = ['+34600111222', '+34 600 111 222', '34600111222', '+34700'];
    const messages = messagesTo(...Array.from({ length: 24 }, (_, at) => notations[at % 4]!));
    const { started, mostOfOne, most } = await observe(messages);
    assert.deepEqual([mostOfOne, most], [1, 2]);
    const toFirst = (list: OutboundMessage[]) => list.filter(({ toNumber }) => toNumber !== '+34700');
    assert.deepEqual(toFirst(started), toFirst(messages));
  });

  it('goes on to a person after a message that was rejected or is unknown', async () => {
    for (const kind of ['rejected', 'unknown'] as const) {
      const messages = messagesTo('+34600111222', '+34600111222');
      const lost = { kind, code: '1', description: 'No.' } as Outcome;
      const { outcomes } = await observe(messages, (message) => (message === messages[0] ? lost : accepted));
      assert.deepEqual(outcomes, [lost, accepted]);
    }
  });

  it('may be empty', async () => {
    assert.deepEqual(await sendAll([], async () => accepted), []);
  });
});
