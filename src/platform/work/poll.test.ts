import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { until } from '../../../test/kit/until.ts';
import { startPoll, type Watch } from './poll.ts';

/** A poll whose statements are noted, and answered by what is true at the moment. */
function makePoll() {
  const asked: string[] = [];
  const facts = new Map<string, boolean>();
  let isAway = false;
  const poll = startPoll(async (text) => {
    asked.push(text);
    if (isAway) throw new Error('The database is away');
    const conditions = [...text.matchAll(/\((\w+)\)/g)].map(([, name]) => name!);
    return conditions.map((name) => facts.get(name) ?? false);
  });
  after(() => poll.stop());
  return {
    poll,
    asked,
    facts,
    goAway: () => {
      isAway = true;
    },
  };
}

/** How often it was called back. */
function countCalls(watch: Watch): { count: number; end(): void } {
  const calls = { count: 0, end: watch.listen(() => calls.count++) };
  return calls;
}

describe('the poll', () => {
  it('asks for all in one statement, and calls back those for whom there is something', async () => {
    const { poll, asked, facts } = makePoll();
    facts.set('there_is', true);
    const found = countCalls(poll.watch('there_is'));
    const nothing = countCalls(poll.watch('there_is_not'));
    await until(() => found.count >= 2);
    assert.equal(nothing.count, 0);
    assert.match(asked[0]!, /\(there_is\),\s+\(there_is_not\)/);
    assert.equal(asked[1], asked[0], 'the same statement each time, so that it is prepared once');
  });

  it('finds what comes later', async () => {
    const { poll, asked, facts } = makePoll();
    const calls = countCalls(poll.watch('there_is'));
    await until(() => asked.length >= 2);
    assert.equal(calls.count, 0);
    facts.set('there_is', true);
    await until(() => calls.count >= 1);
  });

  it('calls everybody back where it cannot be asked', async () => {
    const { poll, goAway } = makePoll();
    goAway();
    const one = countCalls(poll.watch('one'));
    const other = countCalls(poll.watch('other'));
    await until(() => one.count >= 1 && other.count >= 1);
  });

  it('asks at once for whoever comes later, and no more for whoever is gone', async () => {
    const { poll, asked, facts } = makePoll();
    facts.set('first', true).set('second', true);
    const firstWatch = poll.watch('first');
    const first = countCalls(firstWatch);
    await until(() => first.count >= 1);
    const second = countCalls(poll.watch('second'));
    await until(() => second.count >= 1);
    assert.ok(asked.some((text) => text.includes('second') && !text.includes('first')));
    firstWatch.close();
    const before = second.count;
    await until(() => second.count >= before + 2);
    assert.doesNotMatch(asked.at(-1)!, /first/);
  });

  it('calls nobody back who does not listen any more', async () => {
    const { poll, facts, asked } = makePoll();
    facts.set('there_is', true);
    const calls = countCalls(poll.watch('there_is'));
    calls.end();
    await until(() => asked.length >= 2);
    assert.equal(calls.count, 0);
  });
});
