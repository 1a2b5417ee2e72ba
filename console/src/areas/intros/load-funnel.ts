import { call } from '../../api/index.ts';
import type { Funnel } from '../../parts/intros/funnel.ts';

/** As many as the API takes, at half. */
const mostAtOnce = 100;
const pauseMs = 20;

const none: Funnel = {
  clicks: 0,
  unique_clicks: 0,
  matched: 0,
  replied: 0,
  delivered: 0,
  read: 0,
  notified: 0,
  notify_failed: 0,
  bparty_contacted: 0,
  aparty_connected: 0,
  expired: 0,
  median_seconds: { start_to_reply: null, reply_to_read: null, start_to_notify: null, notify_to_contact: null },
};

interface Batch {
  uuids: Set<string>;
  answer: Promise<Map<string | null, Funnel>>;
}
let batch: Batch | undefined;

/** The funnel of an intro; those that are asked for in the same moment come in one request. */
export async function loadFunnel(uuid: string): Promise<Funnel> {
  if (!batch || batch.uuids.size >= mostAtOnce) batch = begin();
  batch.uuids.add(uuid);
  return (await batch.answer).get(uuid) ?? none;
}

function begin(): Batch {
  const uuids = new Set<string>();
  const answer = new Promise((resolve) => setTimeout(resolve, pauseMs)).then(() => {
    if (batch === begun) batch = undefined;
    return ask([...uuids]);
  });
  const begun: Batch = { uuids, answer };
  return begun;
}

async function ask(chat_intros: string[]): Promise<Map<string | null, Funnel>> {
  const { groups } = await call('get', '/v2/chatapp/chat-intros/funnel/', { query: { chat_intros } });
  return new Map(groups.map(({ group, ...funnel }) => [group, funnel]));
}
