import { each, type Json, until } from './api.ts';
import type { Audience } from './audience.ts';
import { senders } from './cast.ts';
import type { Lines } from './numbers.ts';
import type { Story } from './story.ts';

const first = { type: 'text', text: '{{ first_name }}' };
const area = { type: 'text', text: '{{ area }}' };

/** One that is over, one that takes its time, one for next week, and one that nobody has sent yet. */
export async function campaign({ api, scale, tell }: Story, { lists }: Audience, lines: Lines): Promise<Json> {
  const { now } = await api.post('/v2/sandbox/clock/', { advance_seconds: 0 });
  const fallbacks = { first_name: 'there', area: 'your area' };
  const [over, running, planned] = (await each(
    [
      {
        name: 'Open house on Saturday',
        channel: 'CHATAPP',
        sender: senders.sales,
        template: { template_name: 'open_house', components: [{ type: 'body', parameters: [first, area] }] },
        fallbacks,
        lists: [lists.buyers],
        excluded_lists: [lists.landlords],
        quiet_hours: false,
        meta_data: { owner: 'Ada Whitcombe' },
      },
      {
        name: 'Homes to rent this month',
        channel: 'SMS',
        sender: lines.texts,
        text: 'Hello {{ first_name }}, new homes to rent in {{ area }}: https://orchardandvale.example/rent Reply STOP to opt out.',
        fallbacks,
        lists: [lists.newsletter],
        excluded_lists: [lists.landlords],
        // It should go on while one looks.
        rate_per_second: scale.contacts >= 1_000 ? 2 : 1,
        quiet_hours: false,
        track_links: true,
      },
      {
        name: 'Winter market report',
        channel: 'CHATAPP',
        sender: senders.lettings,
        template: { template_name: 'open_house', components: [{ type: 'body', parameters: [first, area] }] },
        fallbacks,
        lists: [lists.newsletter],
        rate_per_second: 20,
      },
      {
        name: 'Landlords: new rules from January',
        channel: 'SMS',
        sender: 'OrchardVale',
        text: 'Dear {{ first_name }}, rules for deposits change in January. We will call you.',
        lists: [lists.landlords],
      },
    ],
    (campaign) => api.post('/v2/campaigns/', campaign),
    1,
  )) as Json[];
  const log = await api.post(`/v2/campaigns/${over.uuid}/launch/`);
  await api.post(`/v2/campaigns/${running.uuid}/launch/`);
  await api.post(`/v2/campaigns/${planned.uuid}/launch/`, {
    send_at: new Date(Date.parse(now) + 3 * 86_400_000).toISOString(),
  });
  const done = await until('the first campaign', async () => {
    const found = await api.get(`/v2/campaign-logs/${log.uuid}/`);
    return found.status === 'COMPLETED' && found;
  });
  tell(`Campaigns: one finished (${done.audience} people), one running, one scheduled, one draft.`);
  return done;
}

const answers = ['Is the one in Angel still free?', 'VIEW please', 'STOP', 'Thank you, we have found something'];

/** Of those who have the running campaign by now some open its link, some answer, and one wants no more. */
export async function answerCampaign({ api, scale }: Story, lines: Lines): Promise<void> {
  const [running] = (await api.get('/v2/campaign-logs/?status=RUNNING')).results;
  const place = `/v2/sms-records/?campaign_log=${running.uuid}&status=DELIVERED&page_size=100`;
  const wanted = scale.contacts >= 1_000 ? 40 : 5;
  const taken: Json[] = await until('the first texts of the campaign', async () => {
    const { results } = await api.get(place);
    return results.length >= wanted && results;
  });
  await each(taken, async ({ to, text }, index) => {
    if (index % 4 === 0) await api.open(/http\S+/.exec(text)![0], to);
    const answer = index % 9 === 1 && answers[(index - 1) / 9];
    if (answer) await api.post('/v2/sandbox/sms/', { from: to, to: lines.texts, text: answer });
  });
}
