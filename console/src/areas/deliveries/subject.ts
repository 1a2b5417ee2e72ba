type Data = Record<string, unknown>;

const text = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined);
const page = (area: string, id: unknown, label: string) =>
  text(id) ? { href: `/${area}/${encodeURIComponent(String(id))}`, label } : undefined;

/** The page of what an event is about, as far as its kind and data tell. */
export function subjectOf(type: string, data: Data): { href: string; label: string } | undefined {
  if (type.endsWith('.routed') || type === 'chatapp.flow.answered') {
    const { uuid } = (data['message'] ?? {}) as Data;
    return page(type.startsWith('sms.') ? 'sms' : 'messages', uuid, 'The message');
  }
  if (type === 'chatapp.template.status') return page('templates', data['uuid'], 'The template');
  if (type === 'chatapp.lead.created') return { href: '/leads', label: 'Leads' };
  if (type.startsWith('chatapp.')) return page('messages', data['uuid'], 'The message');
  if (type.startsWith('chat_intro.')) return introOf(data);
  if (type.startsWith('sms.')) return page('sms', data['uuid'], 'The SMS');
  if (type.startsWith('call.')) return page('calls', data['uuid'], 'The call');
  if (type.startsWith('number.')) return page('numbers', data['number'], 'The number');
  if (type.startsWith('campaign.')) return page('campaigns', data['campaign'], 'The campaign');
  if (type.startsWith('job.')) return page('jobs', data['id'], 'The job');
  if (type.startsWith('insight.')) return insightOf(data);
  if (type === 'report.ready') return page('jobs', data['uuid'], 'The report');
  if (type === 'optout.changed') return { href: '/opt-outs', label: 'Opt-outs' };
  if (type === 'webhook.disabled') return page('webhooks', data['uuid'], 'The webhook');
  return undefined;
}

function introOf(data: Data) {
  const intro = text(data['chat_intro']);
  const session = text(data['session']);
  if (intro && session) return { href: `/intros/${intro}/sessions/${session}`, label: 'The session of the intro' };
  return page('intros', intro, 'The intro');
}

const insightOf = (data: Data) =>
  page('calls', data['call'], 'The call') ??
  page('messages', data['message'], 'The message') ??
  page('sms', data['sms'], 'The SMS') ?? { href: '/insights', label: 'Insights' };
