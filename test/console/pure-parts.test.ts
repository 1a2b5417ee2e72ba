import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiProblem, flatten } from '../../console/src/api/problem.ts';
import { mergeHead } from '../../console/src/api/refresh.ts';
import { keepWarnings, warningsAbout, warningsOf } from '../../console/src/api/warnings.ts';
import {
  conditionFormOf,
  conditionOf,
  sayCondition,
} from '../../console/src/areas/campaigns/wizard/audience/segment.ts';
import { dayEnd, dayStart } from '../../console/src/parts/day.ts';
import { optionsOf, sayFigure } from '../../console/src/parts/words.ts';
import { fillText, namesIn } from '../../console/src/parts/writing/fill.ts';
import { warningsValue } from '../../src/platform/http/header-values.ts';

describe('Warnings of the API', () => {
  it('are read as they were written', () => {
    const sentences = ['Plain.', 'With "quotes", commas and a \\ in it.', 'Zürich is 100 % open', 'two\r\nlines'];
    assert.deepEqual(warningsOf(warningsValue(sentences)), sentences);
    assert.deepEqual([warningsOf(null), warningsOf('%zz'), warningsOf('"100 %"')], [[], [], ['100 %']]);
  });

  it('are kept for the page of what was saved, until it is saved again', () => {
    keepWarnings({ uuid: 'one' }, ['No agent has this skill.']);
    keepWarnings(undefined, ['About nothing.']);
    assert.deepEqual([warningsAbout('one'), warningsAbout('two')], [['No agent has this skill.'], []]);
    keepWarnings({ uuid: 'one' }, []);
    assert.deepEqual(warningsAbout('one'), []);
  });
});

describe('A condition of a segment', () => {
  it('is what it was after it was shown and read', () => {
    const conditions: Parameters<typeof conditionFormOf>[0][] = [
      { field: 'attributes.city', operator: 'IN', value: ['London', 'Leeds'] },
      { field: 'attributes.budget', operator: 'GTE', value: 250000 },
      { field: 'attributes.seen', operator: 'LT', value: '2026-03-01' },
      { field: 'language_code', operator: 'EQ', value: 'en' },
      { field: 'name', operator: 'NOT_SET' },
    ];
    assert.deepEqual(conditions.map(conditionFormOf).map(conditionOf), conditions);
    assert.deepEqual(conditions.map(sayCondition), [
      'city is one of London, Leeds',
      'budget is at least 250000',
      'seen is less than 2026-03-01',
      'Language is en',
      'Name is not known',
    ]);
  });
});

describe('An error of the API, as a form shows it', () => {
  it('names nested fields as Mantine does', () => {
    const body = {
      name: ['This field is required.', 'And a second sentence.'],
      reply_data: { buttons: [{}, { title: ['Too long.'] }] },
      non_field_errors: ['Both together are wrong.'],
    };
    assert.deepEqual(flatten(body), {
      name: 'This field is required. And a second sentence.',
      'reply_data.buttons.1.title': 'Too long.',
      non_field_errors: 'Both together are wrong.',
    });
    assert.equal(new ApiProblem(400, body).detail, 'Both together are wrong.');
  });

  it('is one sentence when it is not about fields, whatever was answered', () => {
    const conflict = new ApiProblem(409, { detail: 'A number still uses this webhook.', code: 'webhook_in_use' });
    assert.deepEqual(
      [conflict.detail, conflict.code, conflict.fields],
      ['A number still uses this webhook.', 'webhook_in_use', {}],
    );
    assert.equal(new ApiProblem(0, null).detail, 'Cannot reach the server.');
    assert.equal(new ApiProblem(502, '<html>').detail, 'The server answered 502.');
    assert.equal(new ApiProblem(400, { to: ['Not a number.'] }).detail, 'to: Not a number.');
    assert.equal(new ApiProblem(400, ['Expected an object.']).detail, 'Expected an object.');
  });
});

describe('A long list of which the first page was read again', () => {
  const row = (uuid: string, status = 'SENT') => ({ uuid, status });
  const old = {
    pages: [
      { results: [row('c'), row('b')], next: 'after b' },
      { results: [row('a')], next: null },
    ],
    pageParams: [undefined, 'after b'],
  };

  it('has new rows first, changed ones where they stood, and every other row as it was', () => {
    const merged = mergeHead(old, { results: [row('e'), row('d'), row('c', 'READ')] });
    assert.deepEqual(
      merged.pages.map(({ results }) => results),
      [[row('e'), row('d'), row('c', 'READ'), row('b')], [row('a')]],
    );
  });

  it('goes on where it went on', () => {
    const merged = mergeHead(old, { results: [row('d')], ...{ next: 'after d', count: 4 } });
    assert.deepEqual(merged.pages[0], { results: [row('d'), row('c'), row('b')], next: 'after b', count: 4 });
  });
});

describe('A day of the account’s time zone', () => {
  it('begins and ends there, also when the clocks change', () => {
    assert.equal(dayStart('2026-11-15', 'UTC'), '2026-11-15T00:00:00.000Z');
    assert.equal(dayEnd('2026-12-31', 'Asia/Kolkata'), '2026-12-31T18:30:00.000Z');
    assert.equal(dayStart('2026-03-29', 'Europe/London'), '2026-03-29T00:00:00.000Z');
    assert.equal(dayEnd('2026-03-29', 'Europe/London'), '2026-03-29T23:00:00.000Z');
    assert.equal(dayStart('2026-11-01', 'America/New_York'), '2026-11-01T04:00:00.000Z');
    assert.equal(dayEnd('2026-11-01', 'America/New_York'), '2026-11-02T05:00:00.000Z');
  });

  it('is no filter when it is no day', () => {
    assert.deepEqual([dayStart('soon', 'UTC'), dayEnd('', 'UTC')], ['', '']);
  });
});

describe('Words of the API', () => {
  it('are offered as people write them, or by the names that they have', () => {
    assert.deepEqual(optionsOf(['QUEUED', 'NO_ANSWER']), [
      { value: 'QUEUED', label: 'Queued' },
      { value: 'NO_ANSWER', label: 'No answer' },
    ]);
    assert.deepEqual(optionsOf({ cta_url: 'Link button' }), [{ value: 'cta_url', label: 'Link button' }]);
    assert.equal(sayFigure(1234567), '1,234,567');
  });
});

describe('A text with placeholders', () => {
  it('is filled as the server fills it: spaces inside braces do not count, and what has no value stays', () => {
    const text = 'Hello {{ Name }}, see {{Link}} or {{ }}{{Name}}.';
    assert.deepEqual(namesIn([text]), ['Name', 'Link']);
    assert.equal(fillText(text, { Name: 'Ana' }), 'Hello Ana, see {{Link}} or {{ }}Ana.');
    assert.equal(fillText('{{constructor}}', {}), '{{constructor}}');
  });
});
