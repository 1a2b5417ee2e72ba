import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  addPart,
  addScreen,
  blankDefinition,
  changePart,
  type Definition,
  moveScreen,
  optionsFrom,
  partsOf,
  removePart,
  removeScreen,
  targetOf,
} from '../../console/src/areas/flows/editor/model.ts';
import { type FlowScreen, screensOf } from '../../console/src/parts/flows/flow-definition.ts';

const footerOf = (screen: FlowScreen) =>
  partsOf(screen).find(({ type }) => type === 'Footer')!['on-click-action'] as { name: string; payload: object };
const nth = (definition: Definition, place: number): FlowScreen => screensOf(definition)[place]!;

describe('The editor of flows', () => {
  it('leads from screen to screen, and the last button sends the answers of all', () => {
    let flow = addPart(blankDefinition(), 'SCREEN_A', 'TextInput');
    flow = addScreen(flow);
    flow = addPart(flow, 'SCREEN_B', 'DatePicker');
    assert.deepEqual([targetOf(nth(flow, 0)), targetOf(nth(flow, 1))], ['SCREEN_B', undefined]);
    assert.deepEqual([nth(flow, 0).terminal, nth(flow, 1).terminal], [undefined, true]);
    assert.deepEqual(footerOf(nth(flow, 1)).payload, {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the platform's own placeholders
      answer_1: '${screen.SCREEN_A.form.answer_1}',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the platform's own placeholders
      answer_2: '${form.answer_2}',
    });
    flow = removeScreen(flow, 'SCREEN_B');
    assert.equal(nth(flow, 0).terminal, true);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the platform's own placeholders
    assert.deepEqual(footerOf(nth(flow, 0)), { name: 'complete', payload: { answer_1: '${form.answer_1}' } });
  });

  it('keeps what it does not know, and what somebody wrote into the payload', () => {
    const flow: Definition = {
      version: '6.0',
      data_api_version: '3.0',
      screens: [
        {
          id: 'ONE',
          layout: {
            type: 'SingleColumnLayout',
            children: [
              {
                type: 'Form',
                name: 'form',
                children: [
                  { type: 'PhotoPicker', name: 'photo' },
                  { type: 'Footer', label: 'Go', 'on-click-action': { name: 'complete', payload: { source: 'web' } } },
                ],
              },
            ],
          },
        },
      ],
    };
    const changed = changePart(addPart(flow, 'ONE', 'OptIn'), 'ONE', 1, { name: 'terms' });
    assert.deepEqual([changed['version'], changed['data_api_version']], ['6.0', '3.0']);
    assert.deepEqual(
      partsOf(nth(changed, 0)).map(({ type }) => type),
      ['PhotoPicker', 'OptIn', 'Footer'],
    );
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the platform's own placeholders
    assert.deepEqual(footerOf(nth(changed, 0)).payload, { source: 'web', terms: '${form.terms}' });
    assert.deepEqual(footerOf(nth(removePart(changed, 'ONE', 1), 0)).payload, { source: 'web' });
  });

  it('moves screens and stays within their number', () => {
    const flow = addScreen(blankDefinition());
    const ids = (one: Definition) => screensOf(one).map(({ id }) => id);
    assert.deepEqual(ids(moveScreen(flow, 0, 1)), ['SCREEN_B', 'SCREEN_A']);
    assert.deepEqual(ids(moveScreen(flow, 0, -1)), ['SCREEN_A', 'SCREEN_B']);
  });

  it('an option that keeps its words keeps its id, and no two have one', () => {
    const before = [{ id: 'am', title: 'Morning' }];
    assert.deepEqual(optionsFrom('Morning\nLate!\nlate', before), [
      { id: 'am', title: 'Morning' },
      { id: 'late', title: 'Late!' },
      { id: 'late_3', title: 'late' },
    ]);
  });
});
