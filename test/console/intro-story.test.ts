import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Funnel, stepsOf } from '../../console/src/parts/intros/funnel.ts';
import { type Log, sayLog } from '../../console/src/parts/intros/log-story.ts';
import openapi from '../../openapi.json' with { type: 'json' };

const say = (event: string, data: Log['data'] = {}) => {
  const { text, cause } = sayLog({ event: `chat_intro.${event}` as Log['event'], data });
  return cause === undefined ? text : `${text} ${cause}`;
};

describe('The log of a chat intro, in sentences', () => {
  it('has one for every event that the API names', () => {
    const events = openapi.components.schemas.ChatIntroEvent.enum as Log['event'][];
    for (const event of events) assert.match(sayLog({ event, data: {} })?.text ?? '', /^[A-Z].*\.$/, event);
  });

  it('tells a chain of notifications step by step', () => {
    const bparty_number = '+447700900456';
    const notified = (data: Log['data']) => say('notified', { bparty_number, ...data });
    const told = [
      notified({ message: 'm1', reason: 'START' }),
      notified({ message: 'm2', reason: 'REMINDER' }),
      say('notify_failed', { bparty_number, description: 'The number is not in the chat app.' }),
      notified({ sms: 's1', reason: 'NEXT' }),
      say('notified', { bparty_number: '+447700900789', message: 'm3', reason: 'NEXT', agent: 'a1' }),
      notified({ message: 'm4', reason: 'AGAIN', missing: ['Budget'] }),
      notified({ message: 'm5', reason: 'ANSWERS' }),
    ];
    assert.deepEqual(told, [
      'The agent was notified at +447700900456.',
      'The agent was reminded at +447700900456. There was no reaction to the notification.',
      'The notification to +447700900456 failed. The number is not in the chat app.',
      'Next in the chain: the agent was notified at +447700900456 by SMS. The notification before this one failed, or nobody reacted to it.',
      'Next in the chain: an agent with the skill was notified at +447700900789. The notification before this one failed, or nobody reacted to it.',
      'The agent was notified again at +447700900456. The lead asked again, or a button was tapped that tells the agent. Left empty, as there was no value: Budget.',
      'The agent was sent the answers at +447700900456. They came after the notification.',
    ]);
  });

  it('says of a notification from before there were chains what it always said', () => {
    assert.equal(say('notified', { bparty_number: '+447700900456' }), 'The agent was notified at +447700900456.');
  });

  it('says who tapped what, who asked again, and who closed the session', () => {
    assert.deepEqual(
      [
        say('answered', { by: 'APARTY' }),
        say('answered', { by: 'BPARTY', action: 'END' }),
        say('answered', { by: 'APARTY', action: 'START' }),
        say('repeated', { heeded: true }),
        say('replied', { again: true }),
        say('closed', { by: 'APARTY' }),
      ],
      [
        'The lead answered.',
        'The agent tapped a button. The button ends the session.',
        'The lead answered. The button starts another intro.',
        'The lead asked again. They are replied to and the agent is told again.',
        'The lead got the reply again.',
        'The session was closed. The lead tapped a button that ends it.',
      ],
    );
    assert.match(say('repeated', { heeded: false }), /Nothing is sent/);
    assert.match(say('closed', { by: 'API' }), /in the console or by a call/);
  });
});

describe('The funnel of a chat intro', () => {
  const none = { start_to_reply: null, reply_to_read: null, start_to_notify: null, notify_to_contact: null };
  const funnel = (notify_failed: number): Funnel => ({
    ...{ clicks: 9, unique_clicks: 8, matched: 4, replied: 4, delivered: 4, read: 3, notified: 3, notify_failed },
    ...{ bparty_contacted: 2, aparty_connected: 0, expired: 0, median_seconds: none },
  });

  it('has a step for notifications that failed only when some did', () => {
    const failedIn = (steps: ReturnType<typeof stepsOf>) => steps.find(({ label }) => label === 'Notification failed');
    assert.equal(failedIn(stepsOf(funnel(0))), undefined);
    assert.deepEqual([failedIn(stepsOf(funnel(1)))?.count, failedIn(stepsOf(funnel(1)))?.share], [1, 0.25]);
  });
});
