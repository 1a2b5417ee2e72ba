// The program that speaks what is not English, as Debian packs it.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { missingPeers } from '../../../../test/kit/peers.ts';
import { fromUlaw, rms } from '../../audio/g711.ts';
import { isWrittenIn } from '../languages.ts';
import { makeSounds, type Sounds } from '../sounds.ts';

const greetings = {
  de: 'Guten Tag. Bitte bleiben Sie am Apparat, wir sind gleich für Sie da.',
  fr: 'Bonjour. Ne quittez pas, nous sommes à vous dans un instant.',
  es: 'Buenos días. No cuelgue, por favor, enseguida le atendemos.',
  'pt-BR': 'Bom dia. Por favor, aguarde na linha.',
  ru: 'Здравствуйте. Пожалуйста, оставайтесь на линии.',
  el: 'Καλημέρα. Παρακαλώ περιμένετε στη γραμμή.',
  ar: 'مرحبا. يرجى الانتظار على الخط.',
  hi: 'नमस्ते। कृपया लाइन पर बने रहें।',
  zh: '您好，请不要挂断，我们马上为您服务。',
  tr: 'Merhaba. Lütfen hatta kalın, hemen sizinle ilgileneceğiz.',
};

describe('espeak-ng', { skip: missingPeers(['espeak-ng', '--version']) }, () => {
  let directory: string;
  let sounds: Sounds;
  before(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'parley-espeak-'));
    sounds = makeSounds(directory, 'espeak-ng');
  });
  after(async () => {
    await sounds.close();
    await rm(directory, { recursive: true });
  });

  const heard = async (text: string, language: string) => {
    const { path, seconds } = await sounds.speak(text, language);
    return { seconds, loudness: rms(fromUlaw(await readFile(path))) };
  };

  it('offers the languages of its voices', async () => {
    const offered = new Map((await sounds.languages()).map(({ language, name }) => [language, name]));
    for (const language of Object.keys(greetings)) assert.ok(offered.has(language), language);
    assert.deepEqual([offered.get('de'), offered.get('pt-BR')], ['German', 'Portuguese (Brazil)']);
    assert.ok(offered.size > 80, `${offered.size}`);
  });

  for (const [language, text] of Object.entries(greetings)) {
    it(`speaks ${language}, as long as somebody would need, and can be heard`, async () => {
      assert.ok(isWrittenIn(text, language));
      const { seconds, loudness } = await heard(text, language);
      assert.ok(seconds > 1.5 && seconds < 12, `${seconds} s`);
      assert.ok(loudness > 0.02 && loudness < 0.4, `${loudness}`);
    });
  }

  it('says the same text differently in another language', async () => {
    const [german, french] = await Promise.all([heard('Restaurant', 'de'), heard('Restaurant', 'fr')]);
    assert.notDeepEqual(german, french);
  });

  it('reads options, markup and commands, and does not obey them', async () => {
    for (const text of [
      '--help',
      '-w /tmp/mine.wav',
      '<b>Sale</b> & 5,50 €',
      '[[h@l]]',
      '0'.repeat(90),
      'ä'.repeat(600),
    ]) {
      const { seconds, loudness } = await heard(text, 'de');
      assert.ok(seconds > 0.3 && seconds < 300 && loudness > 0.01, `${text}: ${seconds} s`);
    }
  });

  it('speaks a long text whole', async () => {
    const { seconds } = await heard(`${greetings.de} `.repeat(14), 'de');
    assert.ok(seconds > 45 && seconds < 120, `${seconds} s`);
  });
});
