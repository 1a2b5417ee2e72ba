import { each, type Json, jobDone } from './api.ts';
import { phoneThat } from './cast.ts';
import type { Story } from './story.ts';

export interface Audience {
  lists: Record<'buyers' | 'tenants' | 'landlords' | 'newsletter', string>;
}

const areas = ['Islington', 'Richmond', 'Didsbury', 'Ancoats', 'Barnsbury', 'Kew', 'Castlefield', 'Angel'];
const sources = ['Website', 'Walk-in', 'Portal', 'Recommendation', 'Open house'];
const quote = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

/** The people on file, from a CSV as an office would have it; who wants no more; and who is on which list. */
export async function fillAudience(story: Story): Promise<Audience> {
  const {
    api,
    scale,
    people,
    parts: { leavers },
    chance,
    tell,
  } = story;
  const rows = people.map(({ name, phone }, index) => {
    const budget = 250_000 + chance.whole(40) * 25_000;
    const seeks = index % 3 === 0 ? 'to rent' : 'to buy';
    return [
      phone,
      name,
      'en_GB',
      'Europe/London',
      chance.of(areas),
      seeks,
      String(budget),
      chance.of(sources),
      String(1 + chance.whole(4)),
    ];
  });
  // Some telephones fail, are never looked at, or answer: see the table of the sandbox.
  const odd = [9001, 9002, 9010, 9012, 9014, 9021, 9030, 9031, 9035].flatMap((ending, index) =>
    Array.from({ length: scale.contacts >= 1_000 ? 8 : 2 }, (_, which) => [
      phoneThat(ending, which + 1),
      `${['Robin', 'Alex', 'Sam', 'Charlie', 'Kit', 'Jo', 'Lee', 'Max'][which]} ${['Ashdown', 'Birch', 'Cobb', 'Dale', 'Elm', 'Frost', 'Glen', 'Holt', 'Ives'][index]}`,
      'en_GB',
      '',
      chance.of(areas),
      'to buy',
      '500000',
      'Website',
      '2',
    ]),
  );
  const all = [...rows.slice(0, rows.length - odd.length), ...odd];
  const made: Json[] = await each(
    [
      { name: 'Buyers', description: 'Registered to buy' },
      { name: 'Tenants', description: 'Registered to rent' },
      { name: 'Landlords', description: 'Let their homes with us' },
      { name: 'Newsletter', description: 'Asked for news on the website' },
    ],
    (list) => api.post('/v2/lists/', list),
    1,
  );
  const [buyers, tenants, landlords, newsletter] = made.map(({ uuid }) => uuid) as [string, string, string, string];
  await upload(story, 'newsletter-2026.csv', all, newsletter);
  await upload(
    story,
    'buyers.csv',
    all.filter((row) => row[5] === 'to buy'),
    buyers,
  );
  await upload(
    story,
    'tenants.csv',
    all.filter((row) => row[5] === 'to rent'),
    tenants,
  );
  const owners = all.filter((_, index) => index % 17 === 0).slice(0, 100);
  await api.post(`/v2/lists/${landlords}/contacts/`, { phone_numbers: owners.map((row) => row[0]!) });

  const channels = ['CHATAPP', 'SMS', 'ALL', 'VOICE'];
  const lines = leavers.map(({ phone }, index) => `${phone},${channels[index % 4]},Asked at the front desk`);
  const file = Buffer.from(`phone_number,channel,text\n${lines.join('\n')}\n`);
  const job = await api.upload('/v2/opt-outs/upload/', { name: 'opt-outs.csv', type: 'text/csv', bytes: file });
  await jobDone(api, job.id);
  tell(`The audience: ${all.length} contacts from CSV files, 4 lists, ${leavers.length} opt-outs.`);
  return { lists: { buyers, tenants, landlords, newsletter } };
}

const titles = 'Phone,Name,Language,Time zone,Area,Seeks,Budget,Source,Bedrooms';

async function upload({ api }: Story, name: string, rows: string[][], list: string): Promise<void> {
  const text = `${titles}\n${rows.map((row) => row.map(quote).join(',')).join('\n')}\n`;
  const job = await api.upload('/v2/contacts/upload/', { name, type: 'text/csv', bytes: Buffer.from(text) }, { list });
  const { status, reason } = await jobDone(api, job.id);
  if (status !== 'SUCCEEDED') throw new Error(`The import of ${name} ended ${status}: ${reason}`);
}
