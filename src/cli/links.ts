import type { Api } from './api.ts';
import { Complaint } from './terminal.ts';

interface Output {
  json?: boolean;
}

interface Link {
  kind: 'SMS' | 'SIP';
  uuid: string;
  name: string;
  carrier: string;
  state: string;
  since: string | null;
  last_error: string | null;
  /** As the API shows it: neither has its password. */
  settings: Record<string, unknown>;
}

interface State {
  link?: string;
  name: string;
  state: string;
  since: string | null;
  last_error: string | null;
}

/** The links of SMS and the SIP trunks of the account, with the state that they are in. */
async function findLinks(api: Api): Promise<Link[]> {
  const [links, trunks, smsStates, voiceStates] = await Promise.all([
    all<Record<string, string>>(api, '/v2/sms-links/'),
    all<Record<string, string>>(api, '/v2/sip-trunks/'),
    all<State>(api, '/v2/network-status/sms/'),
    all<State>(api, '/v2/network-status/voice/', false),
  ]);
  const made = (kind: Link['kind'], row: Record<string, string>, state: State | undefined): Link => ({
    kind,
    uuid: row['uuid']!,
    name: row['name']!,
    carrier: row['carrier'] ?? 'sip',
    state: state?.state ?? 'DOWN',
    since: state?.since ?? null,
    last_error: state?.last_error ?? null,
    settings: row,
  });
  return [
    ...links.map((row) =>
      made(
        'SMS',
        row,
        smsStates.find(({ link }) => link === row['uuid']),
      ),
    ),
    ...trunks.map((row) =>
      made(
        'SIP',
        row,
        voiceStates.find(({ name }) => name === row['name']),
      ),
    ),
  ];
}

async function all<T>(api: Api, url: string, isPaged = true): Promise<T[]> {
  const rows: T[] = [];
  let path: string | null = isPaged ? `${url}?page_size=200` : url;
  while (path) {
    const page: { next: string | null; results: T[] } = await api.call('GET', path, undefined, { repeatable: true });
    rows.push(...page.results);
    path = page.next && new URL(page.next).pathname + new URL(page.next).search;
  }
  return rows;
}

export async function listLinks(api: Api, { json }: Output): Promise<void> {
  const links = await findLinks(api);
  if (json) return console.log(JSON.stringify(links));
  for (const { kind, uuid, name, carrier, state, last_error } of links) {
    console.log(
      `${uuid}  ${kind}  ${state.padEnd(10)}  ${carrier.padEnd(8)}  ${name}${last_error ? `  (${last_error})` : ''}`,
    );
  }
}

export async function showLink(api: Api, which: string, { json }: Output): Promise<void> {
  const link = (await findLinks(api)).find(({ uuid, name }) => uuid === which || name === which);
  if (!link) throw new Complaint(`There is no link "${which}"; \`parley links list\` shows which there are.`);
  if (json) return console.log(JSON.stringify(link));
  const { settings, state, since, last_error } = link;
  console.log(`${link.name} is ${state}${since ? ` since ${since}` : ''}${last_error ? `: ${last_error}` : '.'}`);
  console.log(JSON.stringify(settings, null, 2));
}
