import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { render } from './fill.ts';

const fill = (template: string, variables: Record<string, string> = {}) => render(template, variables).text;

describe('render', () => {
  it('fills placeholders, with or without spaces inside the braces', () => {
    assert.equal(fill('{{A}}, {{ A }} and {{\tB\n}}!', { A: 'one', B: 'two' }), 'one, one and two!');
  });

  it('renders a placeholder without a value as nothing, and names it once', () => {
    assert.deepEqual(render('<{{A}}{{B}}{{A}}>', { B: '' }), { text: '<>', missing: ['A'] });
  });

  it('never renders a value again', () => {
    assert.equal(fill('{{A}}', { A: '{{B}}', B: 'no' }), '{{B}}');
    assert.equal(fill('{{{A}}B}}', { A: '{', B: 'no' }), '{{B}}');
  });

  it('leaves braces that are no placeholder as they are', () => {
    for (const text of ['{{', '}}', '{A}', '{{A', '{{A}', '{{A} }', '{{}}', '{{ }}', '{{{{', 'a}}b{{c']) {
      assert.equal(fill(text, { A: 'x' }), text);
    }
    assert.equal(fill('{{{A}}}', { A: 'x' }), '{x}');
    assert.equal(fill('{{ {{A}}', { A: 'x' }), '{{ x');
  });

  it('knows no variables beyond those given', () => {
    assert.deepEqual(render('{{constructor}}{{__proto__}}', {}).missing, ['constructor', '__proto__']);
  });

  it('copes with a megabyte of braces', () => {
    // A quadratic renderer would need hours for these.
    for (const piece of ['{{', '{{a', '{', '}}', '{{a}', '{{ ']) {
      const text = piece.repeat(1_000_000 / piece.length);
      assert.equal(fill(text), text);
    }
    assert.equal(fill('{{a}}'.repeat(200_000), { a: 'b' }), 'b'.repeat(200_000));
  });

  it('stops copying soon after the text is long enough, and still names every placeholder without a value', () => {
    const { text, missing } = render('{{a}}'.repeat(200_000) + '{{b}} end', { a: 'x'.repeat(4096) }, 10_000);
    assert.equal(text, 'x'.repeat(3 * 4096));
    assert.deepEqual(missing, ['b']);
  });

  it('gives back what was put together, whatever the texts and values hold', () => {
    const piece = fc.record({
      text: fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[{}]/g, '')),
      value: fc.oneof(fc.string(), fc.constantFrom('{{v0}}', '{{', '}}', '{')),
    });
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const template = pieces.map(({ text }, index) => `${text}{{ v${index} }}`).join('');
        const variables = Object.fromEntries(pieces.map(({ value }, index) => [`v${index}`, value]));
        assert.equal(fill(template, variables), pieces.map(({ text, value }) => text + value).join(''));
      }),
    );
  });

  it('never throws, and changes no text without placeholders', () => {
    const anything = fc.string({ unit: fc.constantFrom('{', '}', 'a', ' ', 'ü', '$&') });
    fc.assert(
      fc.property(anything, (template) => {
        const { text, missing } = render(template, {});
        if (missing.length === 0) assert.equal(text, template);
        else assert.ok(text.length < template.length);
      }),
    );
  });
});
