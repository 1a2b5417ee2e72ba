import { greeting, silentMp3 } from '../../test/kit/speech/sounds.ts';
import { type Api, each, type Json, jobDone } from './api.ts';
import { agents, phoneThat } from './cast.ts';
import type { Story } from './story.ts';

/** The numbers, by what they are for. */
export type Lines = Record<
  'sales' | 'recorded' | 'voicemail' | 'busy' | 'lettings' | 'ireland' | 'newYork' | 'chicago' | 'berlin' | 'texts',
  string
>;

const audio = (name: string, bytes: Buffer) => ({ name, bytes });

export async function connectLines({ api, tell }: Story, webhooks: string[]): Promise<Lines> {
  const sounds = [
    audio('Welcome', greeting),
    audio('This call is recorded', greeting),
    audio('Whisper: sales call', silentMp3(16_000, 1.2)),
    audio('Press 1 for lettings', greeting),
    audio('Leave a message', greeting),
    audio('Keep this number', silentMp3(22_050, 2)),
  ];
  await each(sounds, ({ name, bytes }) => uploadSound(api, name, bytes), 2);
  const [ada, bashir, carys, dominic] = agents;
  const wanted: Record<keyof Lines, object> = {
    sales: {
      country_code: 'GB',
      prefix: '20',
      target_number: ada.phone,
      webhooks,
      features: ['RECORD_CALL', 'WHISPER', 'CAPTURE_DIGITS', 'CALL_TRACKING', 'VOICEMAIL_LITE'],
      record_call_file: 'This call is recorded',
      whisper_file: 'Whisper: sales call',
      capture_digits_file: 'Press 1 for lettings',
      voicemail_lite_file: 'Leave a message',
      call_tracking: 'Website header',
      meta: { branch: 'Islington' },
    },
    recorded: {
      country_code: 'GB',
      prefix: '20',
      target_number: ada.phone,
      webhooks,
      features: ['RECORD_CALL', 'CALL_TRACKING'],
      record_call_file: 'This call is recorded',
      call_tracking: 'Portal advert',
      meta: { branch: 'Islington' },
    },
    voicemail: {
      country_code: 'GB',
      prefix: '161',
      target_number: phoneThat(9052),
      webhooks,
      features: ['VOICEMAIL_LITE', 'TTS'],
      voicemail_lite_file: 'Leave a message',
      tts: 'Welcome to Vale New Homes in Manchester.',
      meta: { branch: 'Manchester' },
    },
    busy: { country_code: 'GB', prefix: '1632', target_number: phoneThat(9051), meta: { branch: 'Richmond' } },
    lettings: {
      country_code: 'GB',
      prefix: '20',
      target_number: bashir.phone,
      webhooks,
      features: ['TTS', 'KEYWORDS', 'WHISPER'],
      tts: 'Orchard and Vale lettings. One moment please.',
      keywords: ['RENT', 'REPAIR'],
      whisper_file: 'Whisper: sales call',
      meta: { branch: 'Islington' },
    },
    ireland: {
      country_code: 'IE',
      target_number: dominic.phone,
      features: ['CALL_TRACKING'],
      call_tracking: 'Irish Times',
      meta: { branch: 'Dublin desk' },
    },
    newYork: {
      country_code: 'US',
      prefix: '212',
      capabilities: ['VOICE', 'SMS', 'MMS'],
      target_number: phoneThat(9056),
      features: ['KEEP_NUMBER'],
      keep_number_file: 'Keep this number',
      meta: { branch: 'International' },
    },
    chicago: { country_code: 'US', prefix: '312', target_number: phoneThat(9053), meta: { branch: 'International' } },
    berlin: {
      country_code: 'DE',
      prefix: '30',
      target_number: phoneThat(9055),
      features: ['TTS'],
      tts: 'Welcome to Orchard and Vale.',
      meta: { branch: 'International' },
    },
    texts: {
      country_code: 'GB',
      prefix: '7700',
      capabilities: ['VOICE', 'SMS'],
      target_number: carys.phone,
      webhooks,
      features: ['KEYWORDS'],
      keywords: ['VIEW', 'STOPPED'],
      meta: { branch: 'Manchester' },
    },
  };
  const job = await api.post('/v3/jobs/', { type: 'numbers.create', input: { items: Object.values(wanted) } });
  const { errors } = await jobDone(api, job.id);
  if (errors.length > 0) throw new Error(`Numbers could not be bought: ${JSON.stringify(errors)}`);
  const { results } = await api.get(`/v3/jobs/${job.id}/results/`);
  tell(`Numbers: ${results.length} in 4 countries, with ${sounds.length} audio files.`);
  return Object.fromEntries(Object.keys(wanted).map((name, index) => [name, results[index].value.number])) as Lines;
}

const uploadSound = (api: Api, name: string, bytes: Buffer): Promise<Json> =>
  api.upload('/v2/audio-files/', { name: `${name}.mp3`, type: 'audio/mpeg', bytes }, { name });
