import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalLanguage, findLanguage, isEnglish, isWrittenIn, readVoices, scriptSentence } from './languages.ts';

const printed = `Pty Language       Age/Gender VoiceName          File                 Other Languages
 5  cmn             --/M      Chinese_(Mandarin,_latin_as_English) sit/cmn              (zh-cmn 5)(zh 5)
 5  cmn-latn-pinyin --/M      Chinese_(Mandarin,_latin_as_Pinyin) sit/cmn-Latn-pinyin  (zh-cmn 5)(zh 5)
 5  de              --/M      German             gmw/de
 2  en-gb           --/M      English_(Great_Britain) gmw/en               (en 2)
 5  fr-be           --/M      French_(Belgium)   roa/fr-BE            (fr 8)
 5  fr-fr           --/M      French_(France)    roa/fr               (fr 5)
 5  hr              --/M      Croatian           zls/hr               (hbs 5)
 5  nb              --/M      Norwegian_Bokmål   gmq/nb               (no 5)
 5  piqd            --/M      Klingon            art/piqd
 5  pt              --/M      Portuguese_(Portugal) roa/pt               (pt-pt 5)
 5  pt-br           --/M      Portuguese_(Brazil) roa/pt-BR            (pt 6)
 5  qdb             --/M      Lang_Belta         art/qdb
 5  vi-vn-x-south   --/M      Vietnamese_(Southern) aav/vi-VN-x-south
`;
const languages = readVoices(printed);
const voiceOf = (tag: string): string | undefined => findLanguage(languages, tag)?.voice;

test('readVoices › a language once, by its name, with the voice that is its own or offers itself first', () => {
  assert.deepEqual(
    languages.map(({ language, name, voice }) => `${language}: ${name}: ${voice}`),
    [
      'zh: Chinese: cmn',
      'hr: Croatian: hr',
      'en: English: ',
      'fr: French: fr-fr',
      'fr-BE: French (Belgium): fr-be',
      'fr-FR: French (France): fr-fr',
      'de: German: de',
      'qdb: Lang Belta: qdb',
      'no: Norwegian: nb',
      'nb: Norwegian Bokmål: nb',
      'pt: Portuguese: pt',
      'pt-BR: Portuguese (Brazil): pt-br',
      'pt-PT: Portuguese (Portugal): pt',
    ],
  );
});

test('readVoices › whatever else a program prints: English', () => {
  for (const text of ['', 'Error: no data\n', '\0\x01 5 \n', ' 5 a b c d\n'.repeat(3)]) {
    assert.deepEqual(
      readVoices(text).map(({ language }) => language),
      ['en'],
    );
  }
});

test('findLanguage › the region’s voice, else the language’s; English in any region needs no program', () => {
  assert.deepEqual(['pt-br', 'PT-BR', 'pt-AO', 'pt', 'de-AT', 'fr-CA'].map(voiceOf), [
    'pt-br',
    'pt-br',
    'pt',
    'pt',
    'de',
    'fr-fr',
  ]);
  assert.deepEqual(['en', 'en-GB', 'EN', 'en-029'].map(voiceOf), ['', '', '', '']);
  assert.deepEqual(['es', 'vi', 'tlh', 'sr'].map(voiceOf), [undefined, undefined, undefined, undefined]);
  assert.equal(canonicalLanguage('PT-br'), 'pt-BR');
  assert.ok(!isEnglish('enm'));
});

for (const [language, text, written] of [
  ['de', 'Größe: 3 × Käse für 12 € – „schön“', true],
  ['de', 'Привет', false],
  ['de', '', true],
  ['de', ' ', true],
  ['de', '…', false],
  ['de', '😀', false],
  ['de', '7', true],
  ['ru', 'Привет, Anna! 10 %', true],
  ['ru', 'Привет, Ελλάδα', false],
  ['uk', 'п’ять, м\u02bcята, під’їзд', true],
  ['sr', 'Добар дан. Dobar dan.', true],
  ['el', 'Καλημέρα', true],
  ['el', 'Доброе', false],
  ['ja', 'こんにちは。ラーメンと漢字', true],
  ['ja', '안녕', false],
  ['zh', '你好，世界', true],
  ['zh-TW', '你好ㄅㄆ', true],
  ['zh', 'こんにちは', false],
  ['ko', '안녕하세요 漢字', true],
  ['hi', 'नमस्ते १२', true],
  ['ar', 'مرحبا', true],
  ['fa', 'سلام', true],
  ['he', 'שלום', true],
  ['he', 'مرحبا', false],
  ['th', 'สวัสดี', true],
  ['vi', 'Tiếng Việt', true],
  ['qdb', 'Oye beltalowda', true],
] as const) {
  test(`isWrittenIn › ${language} ${JSON.stringify(text)}: ${written}`, () =>
    assert.equal(isWrittenIn(text, language), written));
}

test('isWrittenIn, scriptSentence › work for any language', () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const pairs = letters.flatMap((a) => letters.map((b) => a + b));
  // Of these the way to write is a kind of type, or several scripts, or unknown.
  const tags = [...pairs, 'gml', 'mga', 'yue', 'hak', 'qdb', 'chr', 'shn', 'zh-TW'];
  for (const tag of tags) {
    assert.ok(isWrittenIn('Hello', tag), tag);
    assert.match(scriptSentence(tag), /^Enter a text in .*Latin letters: /);
  }
});

test('scriptSentence › names the letters and the language', () => {
  assert.deepEqual(['de', 'ru', 'zh', 'pt-BR'].map(scriptSentence), [
    'Enter a text in Latin letters: what is written in other scripts cannot be spoken in German.',
    'Enter a text in Cyrillic or Latin letters: what is written in other scripts cannot be spoken in Russian.',
    'Enter a text in Chinese or Latin letters: what is written in other scripts cannot be spoken in Chinese.',
    'Enter a text in Latin letters: what is written in other scripts cannot be spoken in Portuguese (Brazil).',
  ]);
});
