import { type Api, each } from './api.ts';
import { phoneThat } from './cast.ts';
import type { Lines } from './numbers.ts';
import type { Story } from './story.ts';

/** Texts, both ways: short, long and in other alphabets, to phones that take them and phones that do not. */
const texts = [
  'Your viewing of 12 Mill Lane is on Friday at 10:00. Reply to change it. Orchard & Vale',
  'The keys to Garden flat, Almeida Street are ready for you. We are open until six.',
  'Reminder: your rent of £2,300 is due on Monday.',
  'Dzień dobry, oględziny mieszkania są w piątek o 10:00. Do zobaczenia! Elena z Orchard & Vale',
  'Good news 🎉 your offer on Flat 9, Colebrooke Row was accepted!',
  'Dear tenant, on Tuesday between 8:00 and 12:00 the water will be turned off while the pump in the basement is replaced. Please keep a kettle ready, ' +
    'and do not use the washing machine until we write again. Should it take longer than planned, we will tell you by noon. We are sorry for the trouble. Your lettings team at Orchard & Vale.',
];
const replies = [
  'Thanks, see you then',
  'Can we move the viewing to 11?',
  'RENT paid this morning',
  'The boiler is cold again',
  'VIEW OV-2019',
  'Merci beaucoup, à vendredi ☺',
];

export async function text(story: Story, lines: Lines): Promise<void> {
  const { api, parts, tell } = story;
  await api.post('/v2/sms-senders/', { sender: 'OrchardVale' });
  const from = [lines.texts, lines.lettings, 'OrchardVale'];
  const messages = parts.texters.map(({ phone }, index) => ({
    from: from[index % 3],
    to: phone,
    text: texts[index % texts.length],
    ignore_quiet_hours: true,
    meta_data: { branch: index % 2 === 0 ? 'Islington' : 'Manchester' },
  }));
  const odd = [9002, 9010, 9011, 9012, 9013, 9014, 9020, 9021, 9022, 9030, 9035, 9041, 9042, 9044].map(
    (ending, index) => ({
      from: lines.texts,
      to: phoneThat(ending, 8),
      text: texts[index % texts.length],
      ignore_quiet_hours: true,
    }),
  );
  await api.post('/v2/send-sms/multiple/', { messages: [...messages, ...odd] });
  const answers = parts.texters.filter((_, index) => index % 3 === 0);
  await each(answers, ({ phone }, index) =>
    api.post('/v2/sandbox/sms/', {
      from: phone,
      to: index % 2 === 0 ? lines.texts : lines.lettings,
      text: replies[index % replies.length]!,
    }),
  );
  await api.post('/v2/sandbox/sms/', { from: phoneThat(9000, 8), to: lines.texts, text: 'STOP' });
  const planned = await plan(api, lines);
  tell(`SMS: ${messages.length + odd.length + planned} sent, ${answers.length + 1} written to us, one of them STOP.`);
}

/** Two for later, of which one is taken back. */
async function plan(api: Api, lines: Lines): Promise<number> {
  const { now } = await api.post('/v2/sandbox/clock/', { advance_seconds: 0 });
  const send_at = new Date(Date.parse(now) + 86_400_000).toISOString();
  const make = (which: number) =>
    api.post('/v2/send-sms/', { from: lines.texts, to: phoneThat(9000, which), text: texts[0], send_at });
  const [taken] = [await make(6), await make(7)];
  await api.delete(`/v2/send-sms/${taken.uuid}/`);
  return 2;
}
