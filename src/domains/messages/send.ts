import type { Deps } from '../../deps.ts';
import { notify } from '../../platform/db/listener.ts';
import { ApiError, type FieldErrors, ValidationError } from '../../platform/errors.ts';
import { withOffset } from '../../platform/http/validation/index.ts';
import { newId } from '../../platform/ids.ts';
import { phoneDigits } from '../../platform/phone.ts';
import { type ChatappAccount, resolveSenders } from '../chatapp-accounts/index.ts';
import { findOptedOut } from '../optouts/index.ts';
import { findLanguages, type TemplateUse } from '../templates/index.ts';
import { withIds } from './content/interactive.ts';
import { findProblems } from './content/problems.ts';
import { insertQueued, type MessageRow, type QueuedMessage } from './queries.ts';
import type { MessageCreate } from './schemas.ts';

export interface NewMessage {
  accountId: string;
  request: MessageCreate;
}

/** Tells delivery which sender has something new to send. */
export const queueTopic = 'messages';

/** Sends one message, in the company of whatever else is being sent at this moment. */
export const sendMessage = (deps: Deps, accountId: string, request: MessageCreate): Promise<MessageRow> =>
  deps.batches.run('messages.send', { accountId, request }, (messages) => sendMessages(deps, messages));

/**
 * The one way any message is sent. Each message gets its own result: what is wrong with one does not stop the others, and
 * content that is refused leaves no trace.
 */
export async function sendMessages(deps: Deps, messages: NewMessage[]): Promise<PromiseSettledResult<MessageRow>[]> {
  const refusals = await findRefusals(deps, messages);
  if (refusals.size === 0) return acceptMessages(deps, messages);
  const good = messages.filter((message) => !refusals.has(message));
  const results = await acceptMessages(deps, good);
  const resultOf = new Map(good.map((message, index) => [message, results[index]!]));
  return messages.map((message) => resultOf.get(message) ?? { status: 'rejected', reason: refusals.get(message) });
}

/** Messages that nobody should get, and messages whose content is wrong. */
async function findRefusals(deps: Deps, messages: NewMessage[]): Promise<Map<NewMessage, Error>> {
  const recipients = messages.map((message) => ({
    accountId: message.accountId,
    digits: phoneDigits(message.request.to_chatapp_number),
    message,
  }));
  const [optedOut, problems] = await Promise.all([
    findOptedOut(deps, recipients, 'CHATAPP'),
    findProblems(deps.db, messages),
  ]);
  const refusals = new Map<NewMessage, Error>();
  for (const { message } of optedOut) refusals.set(message, new ApiError('recipient_opted_out'));
  for (const [message, errors] of problems) refusals.set(message, new ValidationError(errors));
  return refusals;
}

/**
 * Senders and templates of the whole batch are checked with a few queries, then rows, events and queue entries are written
 * by one statement.
 */
async function acceptMessages(deps: Deps, messages: NewMessage[]): Promise<PromiseSettledResult<MessageRow>[]> {
  const senders = await resolveSenders(
    deps,
    messages.map(({ accountId, request }) => ({ accountId, chatappNumber: request.chatapp_number })),
  );
  const languages = await languagesOf(deps, messages, senders);
  const results = messages.map((message, index): PromiseSettledResult<QueuedMessage> => {
    const sender = senders[index];
    if (!sender) return refused({ chatapp_number: ['No chat-app account has this number.'] });
    if (isTooFarAhead(deps, message, sender)) return refused({ send_at: ['Ensure this moment is within 90 days.'] });
    const content = contentOf(message.request, languages.get(message));
    if (!content) return refused({ template: { template_name: ['No approved template has this name and language.'] } });
    return { status: 'fulfilled', value: queuedMessage(message, sender, content) };
  });
  const accepted = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  if (accepted.length === 0) return results as PromiseSettledResult<MessageRow>[];

  const moment = await insertQueued(deps.db, accepted);
  await wakeDelivery(deps, accepted);
  return results.map((result) =>
    result.status === 'fulfilled' ? { ...result, value: rowOf(result.value, moment) } : result,
  );
}

async function languagesOf(deps: Deps, messages: NewMessage[], senders: (ChatappAccount | undefined)[]) {
  const uses = new Map<NewMessage, TemplateUse>();
  messages.forEach((message, index) => {
    const sender = senders[index];
    if (message.request.type !== 'TEMPLATE' || !sender) return;
    uses.set(message, {
      accountId: message.accountId,
      chatappAccount: sender.uuid,
      carrier: sender.carrier,
      name: message.request.template.template_name,
      languageCode: message.request.template.language_code,
      defaultLanguageCode: sender.language_code,
    });
  });
  const languages = await findLanguages(deps, [...uses.values()]);
  return new Map([...uses.keys()].map((message, index) => [message, languages[index]]));
}

/** `message_data`: the content as it was sent, plus what was decided about it. */
function contentOf(request: MessageCreate, languageCode: string | undefined): Record<string, unknown> | undefined {
  switch (request.type) {
    case 'TEXT':
      return { text: request.text };
    case 'IMAGE':
    case 'VIDEO':
    case 'AUDIO':
    case 'DOCUMENT':
    case 'STICKER':
      return { media: request.media };
    case 'LOCATION':
      return { location: request.location };
    case 'CONTACTS':
      return { contacts: request.contacts };
    case 'REACTION':
      return { reaction: request.reaction };
    case 'INTERACTIVE':
      return { interactive: withIds(request.interactive) };
    case 'TEMPLATE': {
      const { template_name, components = [] } = request.template;
      return languageCode === undefined ? undefined : { language_code: languageCode, template_name, components };
    }
  }
}

const queuedMessage = ({ accountId, request }: NewMessage, sender: ChatappAccount, content: object): QueuedMessage => ({
  account_id: accountId,
  uuid: newId(),
  chatapp_account: sender.uuid,
  type: request.type,
  chatapp_number: request.chatapp_number,
  to_chatapp_number: request.to_chatapp_number,
  from_digits: sender.digits,
  to_digits: phoneDigits(request.to_chatapp_number),
  message_data: content,
  meta_data: request.meta_data ?? {},
  context_data: request.context ?? {},
  due_at: request.send_at ? withOffset(request.send_at) : '-infinity',
});

/** Delivery does not look further back than 100 days for what still waits. */
const furthestMs = 90 * 86_400_000;

function isTooFarAhead({ carriers }: Deps, { accountId, request }: NewMessage, sender: ChatappAccount): boolean {
  if (!request.send_at) return false;
  const now = carriers.get(sender.carrier).clock(accountId).now().getTime();
  return Date.parse(withOffset(request.send_at)) > now + furthestMs;
}

const rowOf = (message: QueuedMessage, moment: string): MessageRow => ({
  ...message,
  status: 'QUEUED',
  status_description: '',
  direction: 'OUTBOUND',
  from_chatapp_number: message.chatapp_number,
  created: moment,
  modified: moment,
});

const refused = (errors: FieldErrors): PromiseRejectedResult => ({
  status: 'rejected',
  reason: new ValidationError(errors),
});

async function wakeDelivery({ db, listener }: Deps, accepted: QueuedMessage[]): Promise<void> {
  // Inside a transaction the rows are not visible yet: let the notice leave with the commit.
  if (db.isTransaction) return notify(db, queueTopic);
  const senders = new Set(accepted.map((message) => `${message.account_id} ${message.chatapp_account}`));
  for (const sender of senders) listener.signal(queueTopic, sender);
}
