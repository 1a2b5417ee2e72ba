import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, each, type Json, until } from './api.ts';
import { agents, phoneThat } from './cast.ts';
import type { Lines } from './numbers.ts';
import type { Story } from './story.ts';

/** Calls in both directions with every result, some recorded, some ending in a voicemail. */
interface Call {
  from: string;
  to: string;
  digits?: string;
  hangup_after_seconds?: number;
}

/** How many calls go on at the same time, and how long the longest talk may be. */
const together = 18;
const longestSeconds = 260;

export async function ring(story: Story, lines: Lines): Promise<void> {
  const { api, tell } = story;
  const inbound = callsIn(story, lines);
  for (let first = 0; first < inbound.length; first += together) {
    await wave(api, inbound.slice(first, first + together), lines.voicemail);
  }
  const outbound = await callOut(api, lines);
  tell(`Calls: ${inbound.length} to us and ${outbound} by us, with recordings and voicemails.`);
}

function callsIn({ parts: { callers }, chance }: Story, lines: Lines): Call[] {
  const somebodyThere = [lines.recorded, lines.lettings, lines.texts, lines.ireland, lines.berlin, lines.newYork];
  const kinds: ((from: string) => Call)[] = [
    (from) => ({ from, to: chance.of(somebodyThere), hangup_after_seconds: 45 + chance.whole(200) }),
    (from) => ({
      from,
      to: lines.sales,
      digits: chance.of(['1#', '2#']),
      hangup_after_seconds: 50 + chance.whole(180),
    }),
    (from) => ({ from, to: lines.recorded, hangup_after_seconds: 60 + chance.whole(180) }),
    (from) => ({ from, to: chance.of([lines.busy, lines.chicago]), hangup_after_seconds: 30 }),
    (from) => ({
      from,
      to: chance.of([lines.sales, lines.texts]),
      digits: '2#',
      hangup_after_seconds: 45 + chance.whole(160),
    }),
    // Waits for the tone and speaks, or gives up while it rings.
    (from) => ({ from, to: lines.voicemail, hangup_after_seconds: 60 + chance.whole(40) }),
    (from) => ({ from, to: lines.voicemail, hangup_after_seconds: 8 + chance.whole(6) }),
  ];
  const ordinary = callers.map(({ phone }, index) => kinds[index % kinds.length]!(phone));
  return [
    ...ordinary,
    { from: phoneThat(9055, 1), to: lines.voicemail },
    { from: phoneThat(9055, 2), to: lines.voicemail },
    // The sales line knows this one, and hangs up.
    { from: '+44 7700 900999', to: lines.sales, digits: '2#' },
    { from: callers[0]!.phone, to: lines.recorded, hangup_after_seconds: 90 },
  ];
}

/**
 * Calls at the same time, from the first ring to the last word. Agents hold their phones and answer by hand, so that talks last
 * until the caller hangs up. The clock is stepped only when callers hear something: what has not begun would be late.
 */
async function wave(api: Api, calls: Call[], mailbox: string): Promise<void> {
  const desks = agents.map(({ phone }) => phone.replace(/\D/g, ''));
  await each(desks, (number) => api.post(`/v2/sandbox/phones/${number}/hold/`, { seconds: 120 }));
  const made: Json[] = await each(calls, (call) => api.post('/v2/sandbox/calls/', call));
  await allHear(api, made, 20);
  // Who speaks to the mailbox hears nothing.
  const listening = made.filter(({ to }) => to !== mailbox);
  for (const seconds of [4, 4, 4, 4, 4, 4, 12, 12]) {
    await step(api, seconds);
    await sleep(150);
    await answerAll(api, new Set(desks));
    await allHear(api, listening);
  }
  await step(api, longestSeconds);
  await allEnd(api, made);
  await each(desks, (number) => api.delete(`/v2/sandbox/phones/${number}/hold/`));
}

const step = (api: Api, seconds: number) => api.post('/v2/sandbox/clock/', { advance_seconds: seconds });

/** Nobody is waited for longer than this: there are moments of silence, too. */
const silenceSeconds = 2;

const allHear = (api: Api, calls: Json[], seconds = silenceSeconds) =>
  each(calls, ({ uuid }) =>
    until(
      'a caller to hear something',
      async () => {
        const { state, hearing } = await api.get(`/v2/sandbox/calls/${uuid}/`);
        return state === 'ENDED' || hearing !== null;
      },
      seconds,
    ).catch(() => {}),
  );

const allEnd = (api: Api, calls: Json[]) =>
  each(calls, ({ uuid }) =>
    until('a call to end', async () => (await api.get(`/v2/voice/calls/${uuid}/`)).status === 'ENDED'),
  );

/** Answers what rings on the agents' desks. */
async function answerAll(api: Api, desks: ReadonlySet<string>): Promise<void> {
  const { results } = await api.get('/v2/sandbox/calls/?state=RINGING&page_size=100');
  const ringing = results.filter(
    ({ direction, phone }: Json) => direction === 'OUTBOUND' && desks.has(phone.replace(/\D/g, '')),
  );
  // One that has just been given up cannot be answered any more.
  await each(ringing, ({ uuid }: Json) => api.post(`/v2/sandbox/calls/${uuid}/answer/`).catch(() => {}));
}

async function callOut(api: Api, lines: Lines): Promise<number> {
  const [ada] = agents;
  const tts = 'This is Orchard and Vale. Your viewing is tomorrow at ten. Stay on the line to speak to us.';
  const wanted = [
    { to: phoneThat(9050), tts, bridge_to: ada.phone, record: true },
    { to: phoneThat(9054), tts },
    { to: phoneThat(9051), tts },
    { to: phoneThat(9052), tts, timeout_seconds: 20 },
    { to: phoneThat(9053), tts },
    { to: phoneThat(9057), tts },
    { to: phoneThat(9055), audio_file: 'Welcome' },
    { to: phoneThat(9059), bridge_to: ada.phone },
  ];
  const made: Json[] = await each(wanted, (call) =>
    api.post('/v2/voice/calls/', { from: lines.sales, meta_data: { purpose: 'viewing reminder' }, ...call }),
  );
  await until(
    'the calls to be dialled',
    async () => (await api.get('/v2/voice/calls/?status=QUEUED')).results.length === 0,
  );
  for (const seconds of [2, 4, 8, 16, 60]) {
    await step(api, seconds);
    await sleep(200);
  }
  await allEnd(api, made);
  return made.length;
}
