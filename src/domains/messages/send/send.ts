import type { Deps } from '../../../deps.ts';
import { ApiError, type FieldErrors, notFound, ValidationError } from '../../../platform/errors.ts';
import { withOffset } from '../../../platform/http/validation/index.ts';
import { newId } from '../../../platform/ids.ts';
import { withTracedId } from '../../../platform/observe/traces.ts';
import { exactMs } from '../../../platform/time/clock.ts';
import { readPhones } from '../../accounts/index.ts';
import { type ChatappAccount, resolveSenders, whyNoSenders } from '../../chatapp-accounts/index.ts';
import { giveFeedback, heedSafeguards } from '../../safeguards/index.ts';
import { findLanguages, fitErrors, type ResolvedTemplate, type TemplateUse } from '../../templates/index.ts';
import { contentOf } from '../content/content.ts';
import { oneTimePasswordErrors } from '../content/template.ts';
import { outbox } from '../deliver/move.ts';
import { findAddressed, insertQueued, type QueuedMessage } from '../queries.ts';
import { findOpenWindows } from '../receive/people.ts';
import type { MessageCreate } from '../schemas.ts';
import { findRefusals, isOneTimePassword } from './refusals.ts';

export interface NewMessage {
  accountId: string;
  request: MessageCreate;
  /** The intro on whose behalf it is sent. */
  chatIntro?: string;
  /** The launch of a campaign on whose behalf it is sent; it leaves after what is sent for itself. */
  campaignLog?: string;
  /** Its id, where something that refers to it was stored first. */
  uuid?: string;
}

/** A message with the digits of its recipient. */
export interface AddressedMessage extends NewMessage {
  toDigits: string;
}

/** A message that was accepted, and when. */
export interface AcceptedMessage extends QueuedMessage {
  status: 'QUEUED';
  moment: string;
}

/** Sends one message, batched with others that are being sent at this moment. */
export const sendMessage = (deps: Deps, accountId: string, request: MessageCreate): Promise<AcceptedMessage> =>
  deps.batches.run('messages.send', withTracedId({ accountId, request }), (messages) => sendMessages(deps, messages));

/**
 * The one way any message is sent. Each message gets its own result: what is wrong with one does not stop the others, and
 * content that is refused leaves no trace.
 */
export async function sendMessages(deps: Deps, asked: NewMessage[]): Promise<PromiseSettledResult<AcceptedMessage>[]> {
  const messages = await withDigits(deps, asked);
  const refusals = await findRefusals(deps, messages);
  if (refusals.size === 0) return acceptMessages(deps, messages);
  const good = messages.filter((message) => !refusals.has(message));
  const results = await acceptMessages(deps, good);
  const resultOf = new Map(good.map((message, index) => [message, results[index]!]));
  return messages.map((message) => resultOf.get(message) ?? { status: 'rejected', reason: refusals.get(message) });
}

async function withDigits(deps: Deps, messages: NewMessage[]): Promise<AddressedMessage[]> {
  const digits = await readPhones(
    deps,
    messages.map(({ accountId, request }) => ({ accountId, number: request.to_chatapp_number })),
  );
  return messages.map((message, index) => ({ ...message, toDigits: digits[index]! }));
}

/**
 * Senders and templates of the whole batch are checked with a few queries, then rows, events and queue entries are written
 * by one statement.
 */
async function acceptMessages(
  deps: Deps,
  messages: AddressedMessage[],
): Promise<PromiseSettledResult<AcceptedMessage>[]> {
  const sinceMs = exactMs();
  const senders = await resolveSenders(
    deps,
    messages.map(({ accountId, request }) => ({ accountId, chatappNumber: request.chatapp_number })),
  );
  const templates = await templatesOf(deps, messages, senders);
  const closed = await findClosedWindows(deps, messages, senders);
  const strangers = await findStrangers(
    deps,
    messages.filter((_, index) => !senders[index]),
  );
  const checked = messages.map((message, index): PromiseSettledResult<QueuedMessage> => {
    const sender = senders[index];
    if (!sender) return refused({ chatapp_number: [strangers.get(message)!] });
    if (isTooFarAhead(deps, message, sender)) return refused({ send_at: ['Ensure this moment is within 90 days.'] });
    if (closed.has(message)) return { status: 'rejected', reason: new ApiError('window_closed') };
    const template = templates.get(message);
    const errors = errorsOfTemplate(message, template);
    if (errors) return refused({ template: errors });
    return { status: 'fulfilled', value: queuedMessage(message, sender, template) };
  });
  const results = await withoutRefused(deps, messages, checked);
  const accepted = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  if (accepted.length === 0) return results as PromiseRejectedResult[];

  const moment = await insertQueued(deps.db, accepted);
  outbox.wake(
    deps,
    accepted.map((message) => `${message.account_id} ${message.chatapp_account}`),
  );
  const queued = results.map(
    (result): PromiseSettledResult<AcceptedMessage> =>
      result.status === 'fulfilled' ? { ...result, value: { ...result.value, status: 'QUEUED', moment } } : result,
  );
  deps.observer.steps(
    'message',
    queued.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])),
    sinceMs,
  );
  return queued;
}

/** Refuses what the safeguards of accounts do not allow; the rest counts toward the caps. */
async function withoutRefused(
  deps: Deps,
  messages: NewMessage[],
  checked: PromiseSettledResult<QueuedMessage>[],
): Promise<PromiseSettledResult<QueuedMessage>[]> {
  const sendings = checked.flatMap((result, index) => {
    if (result.status === 'rejected') return [];
    const { account_id: accountId, from_digits: senderKey, to_digits: digits, sensitive } = result.value;
    const expectsFeedback = messages[index]!.request.expect_feedback ?? sensitive === 1;
    return [{ accountId, channel: 'CHATAPP' as const, senderKey, digits, units: 1, expectsFeedback, result }];
  });
  const refused = await heedSafeguards(deps, sendings);
  if (refused.size === 0) return checked;
  const reasons = new Map([...refused].map(([{ result }, reason]) => [result, reason]));
  return checked.map((result) => {
    const reason = result.status === 'fulfilled' ? reasons.get(result) : undefined;
    return reason ? { status: 'rejected', reason } : result;
  });
}

/** Why each of these messages has no sender. */
async function findStrangers(deps: Deps, messages: NewMessage[]): Promise<Map<NewMessage, string>> {
  const uses = messages.map(({ accountId, request }) => ({ accountId, chatappNumber: request.chatapp_number }));
  const reasons = await whyNoSenders(deps, uses);
  return new Map(messages.map((message, index) => [message, reasons[index]!]));
}

async function templatesOf(deps: Deps, messages: NewMessage[], senders: (ChatappAccount | undefined)[]) {
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
  const templates = await findLanguages(deps, [...uses.values()]);
  return new Map([...uses.keys()].map((message, index) => [message, templates[index]]));
}

/**
 * Errors that only the template itself can show. Intros and campaigns composed their messages here, so an error in one of those
 * becomes its outcome, which the log of the intro or campaign shows.
 */
function errorsOfTemplate(
  { request, chatIntro, campaignLog }: NewMessage,
  template: ResolvedTemplate | undefined,
): FieldErrors | undefined {
  if (request.type !== 'TEMPLATE') return undefined;
  if (!template) return { template_name: ['No approved template has this name and language.'] };
  if (isOneTimePassword(template)) return oneTimePasswordErrors(request.template);
  if (chatIntro ?? campaignLog) return undefined;
  return fitErrors(template.components, request.template.components ?? []);
}

/** Messages that need an open window, to people who have not written within a day. */
async function findClosedWindows(
  { db, carriers }: Deps,
  messages: AddressedMessage[],
  senders: (ChatappAccount | undefined)[],
): Promise<Set<NewMessage>> {
  const wanted = messages.flatMap((message, index) => {
    const sender = senders[index];
    const { type, send_at } = message.request;
    // A message that is to leave later may find the window open by then; the carrier decides.
    if (!sender || type === 'TEMPLATE' || send_at) return [];
    const carrier = carriers.get(sender.carrier, 'chat');
    if (!carrier.chat.enforcesWindow) return [];
    const now = carrier.clock(message.accountId).now();
    const { accountId, toDigits: digits } = message;
    return [{ accountId, chatappAccount: sender.uuid, digits, now, message }];
  });
  const open = await findOpenWindows(db, wanted);
  return new Set(wanted.filter((one) => !open.has(one)).map(({ message }) => message));
}

const queuedMessage = (
  { accountId, request, toDigits, chatIntro, campaignLog, uuid }: AddressedMessage,
  sender: ChatappAccount,
  template: ResolvedTemplate | undefined,
): QueuedMessage => ({
  account_id: accountId,
  uuid: uuid ?? newId(),
  chatapp_account: sender.uuid,
  type: request.type,
  chatapp_number: request.chatapp_number,
  to_chatapp_number: request.to_chatapp_number,
  from_digits: sender.digits,
  to_digits: toDigits,
  message_data: JSON.stringify(contentOf(request, template?.languageCode)),
  meta_data: request.meta_data ? JSON.stringify(request.meta_data) : '{}',
  context_data: request.context ? JSON.stringify(request.context) : '{}',
  due_at: request.send_at ? withOffset(request.send_at) : '-infinity',
  callback_url: request.callback_url ?? null,
  chat_intro: chatIntro ?? null,
  campaign_log: campaignLog ?? null,
  sensitive: request.sensitive || (template && isOneTimePassword(template)) ? 1 : 0,
});

/** Delivery does not look further back than 100 days for what still waits. */
const furthestMs = 90 * 86_400_000;

function isTooFarAhead({ carriers }: Deps, { accountId, request }: NewMessage, sender: ChatappAccount): boolean {
  if (!request.send_at) return false;
  const now = carriers.get(sender.carrier).clock(accountId).now().getTime();
  return Date.parse(withOffset(request.send_at)) > now + furthestMs;
}

const refused = (errors: FieldErrors): PromiseRejectedResult => ({
  status: 'rejected',
  reason: new ValidationError(errors),
});

/** Notes that the person used what they were sent, such as a one-time password. */
export async function confirmMessage(deps: Deps, accountId: string, uuid: string) {
  const sent = await findAddressed(deps.db, accountId, uuid);
  if (!sent) throw notFound();
  if (sent.direction !== 'OUTBOUND')
    throw new ValidationError({ non_field_errors: ['Only messages that you sent can be confirmed.'] });
  const { to_digits: digits, created } = sent;
  return giveFeedback(deps, accountId, { channel: 'CHATAPP', uuid, digits, sentAt: new Date(created) });
}
