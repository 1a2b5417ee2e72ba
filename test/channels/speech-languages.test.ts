import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../kit/app.ts';
import { stageOf } from '../kit/jobs/job-stage.ts';
import { writeFakeProgram } from '../kit/speech/sounds.ts';
import { makeCaller, people } from '../kit/voice/caller.ts';

const latinOnly = 'Enter a text in Latin letters: what is written in other scripts cannot be spoken.';
const onlyEnglish = (language: string) =>
  `"${language}" cannot be spoken on this server, only English (en). Its operator can install espeak-ng for other languages.`;

let directory: string;
let app: TestApp;
let caller: ReturnType<typeof makeCaller>;
let from: string;
before(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'parley-languages-'));
  app = await startTestApp({ SPEECH_PROGRAM: writeFakeProgram(directory).path });
  caller = makeCaller(app);
  await caller.clock({ speed: 25 });
  from = await caller.number();
});
after(async () => {
  await app.close();
  await rm(directory, { recursive: true });
});

const spoken = async (text: string, language: string): Promise<string> =>
  path.basename((await app.deps.sounds.speak(text, language)).path);
const heardBy = async (phone: string): Promise<string[]> =>
  (await caller.phone(phone)).heard.map(({ sound }: { sound: string }) => sound);

describe('tts_language', () => {
  it('a caller hears the text of the number in its language', async () => {
    const sound = await spoken('Добрый день', 'ru');
    const number = await caller.number({ target_number: people.answers, tts: 'Добрый день', tts_language: 'RU' });
    assert.equal((await caller.get(`/v2/number/${number}/`)).tts_language, 'ru');
    await caller.ends(await caller.dials(number));
    assert.deepEqual(await heardBy(people.caller), [sound, 'ringing', 'talk']);
  });

  it('a person who is called hears the text in its language, and the call says which', async () => {
    const sound = await spoken('Ihr Tisch ist bereit', 'de');
    const request = { from, to: people.answers, tts: 'Ihr Tisch ist bereit', tts_language: 'de-at' };
    const call = await caller.ends(await caller.starts(request));
    assert.deepEqual([call.result, call.tts_language, call.notes], ['ANSWERED', 'de-AT', []]);
    assert.deepEqual(await heardBy(people.answers), [sound]);
    const plain = await caller.call(await caller.starts({ from, to: people.answers, tts: 'Hello' }));
    assert.equal(plain.tts_language, 'en');
  });

  it('a program that crashes costs the text, not the call', async () => {
    const request = { from, to: people.answers, tts: 'Hallo', tts_language: 'xb' };
    const call = await caller.ends(await caller.starts(request));
    assert.equal(call.result, 'ANSWERED');
    assert.deepEqual(call.notes, ['tts: the text could not be spoken; it was skipped.']);
  });

  it('400 for a language without a voice, with those that have one; for what is no language; for another script', async () => {
    for (const [method, url, needed] of [
      ['POST', '/v2/voice/calls/', { from, to: people.answers }],
      ['POST', '/v2/number/', { country_code: 'GB' }],
      ['PUT', `/v2/number/${from}/`, {}],
      ['PATCH', `/v2/number/${from}/`, {}],
    ] as const) {
      const refused = async (body: object) => {
        const answer = await app.call(method, url, { ...needed, ...body });
        assert.equal(answer.status, 400, `${method} ${url} ${JSON.stringify(answer.body)}`);
        return answer.body;
      };
      const unknown = await refused({ tts: 'Hej', tts_language: 'sv' });
      assert.deepEqual(Object.keys(unknown), ['tts_language']);
      const [listed] = unknown.tts_language;
      assert.match(listed, /^"sv" cannot be spoken on this server\. These can: /);
      for (const language of ['en', 'de', 'pt-BR', 'ru']) assert.match(listed, new RegExp(`[ ,]${language}[,.]`));
      for (const tts_language of ['German', 'de_DE', 'd', '-v', 'de-', 'de-Latn-DE']) {
        assert.deepEqual(await refused({ tts: 'Hallo', tts_language }), {
          tts_language: ['Enter a language such as de or pt-BR.'],
        });
      }
      assert.deepEqual(await refused({ tts: 'Привет' }), { tts: [latinOnly] });
      assert.deepEqual(await refused({ tts: 'Привет', tts_language: 'en-GB' }), { tts: [latinOnly] });
      assert.deepEqual(await refused({ tts: 'Καλημέρα', tts_language: 'ru' }), {
        tts: [
          'Enter a text in Cyrillic or Latin letters: what is written in other scripts cannot be spoken in Russian.',
        ],
      });
    }
  });

  it('PATCH looks at the text and the language together; PUT without one is English', async () => {
    const url = `/v2/number/${await caller.number({ tts: 'Привет', tts_language: 'ru' })}/`;
    const patch = async (body: object) => {
      const answer = await app.call('PATCH', url, body);
      return answer.status === 200 ? [answer.body.tts, answer.body.tts_language] : answer.body;
    };
    assert.deepEqual(await patch({ tts: 'До свидания' }), ['До свидания', 'ru']);
    assert.deepEqual(Object.keys(await patch({ tts_language: 'de' })), ['tts']);
    assert.deepEqual(await patch({ tts: 'Hallo', tts_language: 'de' }), ['Hallo', 'de']);
    assert.deepEqual(await patch({ tts_language: 'pt-br' }), ['Hallo', 'pt-BR']);
    const stored = await caller.get(url);
    const put = await app.call('PUT', url, { tts: stored.tts, tts_language: stored.tts_language });
    assert.deepEqual([put.status, put.body.tts_language], [200, 'pt-BR']);
    assert.equal((await app.call('PUT', url, { tts: 'Hello' })).body.tts_language, 'en');
  });

  it('what was accepted is not asked about again when something else changes', async () => {
    const number = await caller.number({ tts: 'Hallo', tts_language: 'de' });
    // As if the program had been taken away, or the row were from before texts were checked.
    await app.deps.db.updateTable('numbers').set({ tts_language: 'sv' }).where('number', '=', number).execute();
    const changed = { tts: 'Hallo', tts_language: 'sv', call_tracking: 'Spring' };
    assert.equal((await app.call('PATCH', `/v2/number/${number}/`, changed)).status, 200);
    const { status, body } = await app.call('PATCH', `/v2/number/${number}/`, { tts: 'Hej' });
    assert.deepEqual([status, Object.keys(body)], [400, ['tts_language']]);
  });

  it('bulk requests and jobs take it, item by item', async () => {
    const items = [{ country_code: 'GB', tts: 'Hallo', tts_language: 'de' }, { country_code: 'GB' }];
    const bought = await app.call('POST', '/v2/number/bulk/', items);
    assert.equal(bought.status, 201);
    const [german, plain] = bought.body.map(({ number }: { number: string }) => number);
    assert.equal((await caller.get(`/v2/number/${german}/`)).tts_language, 'de');
    const bulk = await app.call('PATCH', '/v2/number/bulk/', [
      { number: german, tts: 'Guten Tag' },
      { number: plain, tts: 'Привет' },
    ]);
    assert.deepEqual([bulk.status, bulk.body], [400, [{}, { tts: [latinOnly] }]]);

    const submit = (type: string, input: object) => app.call('POST', '/v3/jobs/', { type, input });
    for (const [type, input, errors] of [
      [
        'numbers.create',
        { items: [items[0], { country_code: 'GB', tts: 'Привет' }] },
        { items: [{}, { tts: [latinOnly] }] },
      ],
      ['numbers.create', { count: 2, item: { country_code: 'GB', tts: '你好' } }, { item: { tts: [latinOnly] } }],
      [
        'numbers.update',
        {
          items: [
            { number: german, tts: 'Grüße' },
            { number: plain, tts: 'Привет' },
          ],
        },
        { items: [{}, { tts: [latinOnly] }] },
      ],
    ] as const) {
      const { status, body } = await submit(type, input);
      assert.deepEqual([status, body], [400, { input: errors }], type);
    }
    const stage = stageOf(app);
    const update = [
      { number: german, tts: 'Grüße' },
      { number: plain, tts: 'Привет', tts_language: 'ru' },
    ];
    await stage.ended(await stage.submit('numbers.update', { items: update }));
    const both = await Promise.all([german, plain].map((number) => caller.get(`/v2/number/${number}/`)));
    assert.deepEqual(
      both.map(({ tts, tts_language }) => [tts, tts_language]),
      [
        ['Grüße', 'de'],
        ['Привет', 'ru'],
      ],
    );
  });

  it('GET /v2/voice/languages/ lists what can be spoken', async () => {
    const { count, next, results } = await caller.get('/v2/voice/languages/');
    assert.deepEqual([count, next], [results.length, null]);
    assert.deepEqual(
      results.filter(({ language }: { language: string }) => ['en', 'de', 'pt-BR'].includes(language)),
      [
        { language: 'en', name: 'English' },
        { language: 'de', name: 'German' },
        { language: 'pt-BR', name: 'Portuguese (Brazil)' },
      ],
    );
  });
});

describe('tts_language without the program', () => {
  for (const SPEECH_PROGRAM of ['', '/nowhere/espeak-ng']) {
    it(`SPEECH_PROGRAM=${SPEECH_PROGRAM}: English is spoken, all else is a 400 that says how to get it`, async () => {
      const bare = await startTestApp({ SPEECH_PROGRAM });
      try {
        const listed = await bare.call('GET', '/v2/voice/languages/');
        assert.deepEqual(listed.body.results, [{ language: 'en', name: 'English' }]);
        for (const [url, needed] of [
          ['/v2/number/', { country_code: 'GB' }],
          ['/v2/voice/calls/', { from: '+442079460000', to: people.answers }],
        ] as const) {
          const german = await bare.call('POST', url, { ...needed, tts: 'Hallo', tts_language: 'de' });
          assert.deepEqual([german.status, german.body], [400, { tts_language: [onlyEnglish('de')] }]);
        }
        const english = { country_code: 'GB', tts: 'Hello', tts_language: 'en' };
        assert.equal((await bare.call('POST', '/v2/number/', english)).status, 201);
      } finally {
        await bare.close();
      }
    });
  }
});
