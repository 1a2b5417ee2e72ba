/** Who hears of an event: the webhooks that the number names, or those of the account. */
export type Kind = 'NUMBER' | 'CHATAPP';

/** Whom a webhook is for: the numbers that name it, the chat apps, or the whole account. */
export type EndpointKind = Kind | 'ACCOUNT';

/** Every event type: who hears of it, and what it tells. */
export const eventTypes = {
  'number.assigned': ['NUMBER', 'A number was bought.'],
  'number.released': ['NUMBER', 'A number was given back.'],
  'call.started': ['NUMBER', 'A call to or from a number began.'],
  'call.answered': ['NUMBER', 'A call was answered.'],
  'call.ended': ['NUMBER', 'A call ended, with its result and times.'],
  'call.recording_ready': ['NUMBER', 'The recording of a call can be downloaded.'],
  'call.voicemail_received': ['NUMBER', 'A caller left a voicemail.'],
  'call.digits_captured': ['NUMBER', 'A caller entered digits.'],
  'sms.received': ['NUMBER', 'An SMS came in.'],
  'sms.routed': ['NUMBER', 'A routing config sent an SMS on: where to, and by which route.'],
  'sms.status': ['NUMBER', 'An SMS took a step: sent, delivered or failed.'],
  'chatapp.message.received': ['CHATAPP', 'A person wrote to one of your chat-app numbers.'],
  'chatapp.message.status': ['CHATAPP', 'A message took a step: sent, delivered, read or failed.'],
  'chatapp.template.status': ['CHATAPP', 'A message template was approved, rejected or paused.'],
  'chatapp.flow.answered': ['CHATAPP', 'A person sent the answers of a flow.'],
  'chatapp.lead.created': ['CHATAPP', 'A lead was submitted.'],
  'chatapp.lead.updated': ['CHATAPP', 'A lead was brought up to date: by the person, or by whoever works on it.'],
  'chat_intro.clicked': ['CHATAPP', 'The link of a chat intro was opened.'],
  'chat_intro.started': ['CHATAPP', 'A person started a chat intro.'],
  'chat_intro.replied': ['CHATAPP', 'The reply of a chat intro was sent.'],
  'chat_intro.notified': ['CHATAPP', 'The other party of a chat intro was notified.'],
  'chat_intro.connected': ['CHATAPP', 'The other party of a chat intro made contact.'],
  'chat_intro.created': ['CHATAPP', 'A chat intro was created.'],
  'chat_intro.updated': ['CHATAPP', 'A chat intro was changed.'],
  'chat_intro.deleted': ['CHATAPP', 'A chat intro was deleted.'],
  'chat_intro.repeated': ['CHATAPP', 'A person named a chat intro again.'],
  'chat_intro.answered': ['CHATAPP', 'Somebody answered a flow or tapped a button of a chat intro.'],
  'chat_intro.notify_failed': ['CHATAPP', 'A notification of a chat intro failed.'],
  'chat_intro.reacted': ['CHATAPP', 'Somebody who was notified of a chat intro wrote or tapped a button.'],
  'chat_intro.aparty_notified': ['CHATAPP', 'The person of a chat intro was sent its template.'],
  'chat_intro.expired': ['CHATAPP', 'A session of a chat intro ended after seven quiet days.'],
  'chat_intro.closed': ['CHATAPP', 'A session of a chat intro was closed.'],
  'chat_intro.problem': ['CHATAPP', 'A step of a chat intro could not be taken.'],
  'chatapp.message.routed': ['CHATAPP', 'A routing config sent a message on: where to, and by which route.'],
  'optout.changed': ['CHATAPP', 'A person opted out or in.'],
  'safeguard.refused': ['CHATAPP', 'A safeguard refused to send: which, and the first it refused in an hour or a day.'],
  'campaign.started': ['CHATAPP', 'A campaign began to send.'],
  'campaign.completed': ['CHATAPP', 'A campaign has sent everything.'],
  'job.finished': ['CHATAPP', 'A job ended, with its result.'],
  'insight.missed_call': ['CHATAPP', 'Nobody called back somebody whose call was missed, within the window.'],
  'insight.slow_reply': ['CHATAPP', 'Somebody who wrote was not answered within the target.'],
  'insight.keyword': ['CHATAPP', 'A message or SMS has a keyword of one of your groups.'],
  'insight.digest': ['CHATAPP', 'The figures of a day.'],
  'report.ready': ['CHATAPP', 'A scheduled report can be downloaded.'],
  'audit.entry': ['CHATAPP', 'The audit log has a new entry. Only for webhooks that name it: `*` does not include it.'],
  'webhook.disabled': ['CHATAPP', 'Another webhook was disabled because it kept failing or said that it is gone.'],
  'test.ping': ['CHATAPP', 'Sent to one webhook when its test is asked for.'],
} as const satisfies Record<string, readonly [kind: Kind, description: string]>;

export type EventType = keyof typeof eventTypes;
export const eventTypeNames = Object.keys(eventTypes) as EventType[];

export const kindOf = (type: EventType): Kind => eventTypes[type][0];

/** What a webhook has to name to hear of an event. `*` is all but the audit log, which is told to whoever asks for it. */
export const namesOf = (type: EventType): string[] => (type === 'audit.entry' ? [type] : ['*', type]);

/** What a webhook of this kind may ask for. The ping reaches every kind, asked for or not. */
export const choicesOf = (kind: EndpointKind): ('*' | EventType)[] => [
  '*',
  ...eventTypeNames.filter((type) => kind === 'ACCOUNT' || kindOf(type) === kind || type === 'test.ping'),
];
