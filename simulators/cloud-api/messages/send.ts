import type { Call } from '../graph/call.ts';
import { type Fields, invalid } from '../graph/checks.ts';
import { GraphError, titleOf } from '../graph/errors.ts';
import { recipientOf } from '../people/people.ts';
import type { Sim } from '../sim.ts';
import { checkFit, type SentComponent } from '../templates/fit.ts';
import { isAuthentication, part } from '../templates/parts.ts';
import { chatOf, dayMs, type Message, type Person, type PhoneNumber, type Template } from '../world.ts';
import { checkEnvelope, checkMessage, checkReceipt } from './checks.ts';
import { checkFlowUse } from './flow-use.ts';
import { checkAssets } from './media-use.ts';
import { type Failure, follow } from './statuses.ts';

/** `POST /{phone-number-id}/messages`: sends, or marks as read. */
export function postMessage(sim: Sim, call: Call) {
  const number = sim.world.numbers.get(call.id)!;
  const body = call.json();
  checkEnvelope(body);
  if (body['status'] !== undefined) return markRead(sim, number, body);
  return send(sim, number, body);
}

function send(sim: Sim, number: PhoneNumber, body: Fields) {
  const { world, time, ids, settings } = sim;
  checkSender(sim, number);
  sim.limits.throughput(number);
  const type = checkMessage(body);
  const { person, byPhone } = recipientOf(sim, number, body);
  if (person.waId === number.digits) throw new GraphError(131021, 'Recipient and sender phone number is same.');
  if (person.refuseCode !== null) throw new GraphError(person.refuseCode, titleOf(person.refuseCode));
  const template = type === 'template' ? templateOf(sim, number, body, byPhone) : null;
  checkContext(sim, number, body);
  checkFlowUse(sim, number, body, type);
  const failure = failureOf(sim, number, person, body, type, template);
  sim.limits.pair(number, person);

  const message: Message = {
    id: ids.message(person.waId, 'out'),
    direction: 'out',
    numberId: number.id,
    person,
    type,
    payload: body,
    template,
    byPhone,
    at: time.now(),
    statuses: [],
    readByBusiness: true,
  };
  world.messages.set(message.id, message);
  if (byPhone) chatOf(world, number.id, person).phoneUsedAt = time.now();
  follow(sim, message, failure);
  const status = template ? settings.templateMessageStatus : null;
  return {
    messaging_product: 'whatsapp',
    contacts: [
      byPhone ? { input: body['to'], wa_id: person.waId } : { input: body['recipient'], user_id: person.userId },
    ],
    messages: [{ id: message.id, ...(status !== null && { message_status: status }) }],
  };
}

function checkSender({ world }: Sim, number: PhoneNumber): void {
  if (world.accounts.get(number.accountId)!.locked) {
    throw new GraphError(
      131031,
      'The WhatsApp Business Account associated with the app has been restricted or disabled.',
    );
  }
  if (number.status !== 'CONNECTED')
    throw new GraphError(133010, 'The account does not exist in the Cloud API. Register the number first.');
}

function templateOf(sim: Sim, number: PhoneNumber, body: Fields, byPhone: boolean): Template {
  const sent = body['template'] as { name: string; language: { code: string }; components?: SentComponent[] };
  const found = [...sim.world.templates.values()].find(
    ({ accountId, name, language }) =>
      accountId === number.accountId && name === sent.name && language === sent.language.code,
  );
  if (found?.status === 'PAUSED')
    throw new GraphError(132015, `template name (${sent.name}) is paused due to low quality`);
  if (found?.status === 'DISABLED') throw new GraphError(132016, `template name (${sent.name}) is disabled`);
  if (found?.status !== 'APPROVED') {
    throw new GraphError(132001, `template name (${sent.name}) does not exist in ${sent.language.code}`);
  }
  if (isAuthentication(found.category) && !byPhone) {
    throw new GraphError(131062, 'Authentication templates can be sent to phone numbers only.');
  }
  checkFit(found, sent.components ?? [], sim.time.now().getTime());
  return found;
}

/** A quoted message must be one of this number's. */
function checkContext({ world }: Sim, number: PhoneNumber, body: Fields): void {
  const quoted = (body['context'] as { message_id: string } | undefined)?.message_id;
  if (quoted === undefined || world.messages.get(quoted)?.numberId === number.id) return;
  throw invalid("Param context['message_id'] is not a message of this number.", 131009);
}

/** What will fail after being accepted. Throws what the platform refuses at once. */
function failureOf(
  sim: Sim,
  number: PhoneNumber,
  person: Person,
  body: Fields,
  type: string,
  template: Template | null,
): Failure | null {
  const assets = checkAssets(sim, number, body, template ? part(template.components, 'HEADER')?.format : undefined);
  const lastInboundAt = chatOf(sim.world, number.id, person).lastInboundAt?.getTime() ?? 0;
  const outside = sim.time.now().getTime() - lastInboundAt >= dayMs;
  if (!template && sim.settings.enforceWindow && outside) {
    const details =
      'Message failed to send because more than 24 hours have passed since the customer last replied to this number.';
    if (!sim.settings.lateCodes.includes(131047)) throw new GraphError(131047, details);
    return { code: 131047, details };
  }
  if (person.failCode !== null) return recipientProblem(sim, person.failCode);
  if (template?.category === 'MARKETING' && person.stoppedMarketing) return recipientProblem(sim, 131050);
  if (template && sim.settings.templateMessageStatus === 'paused') return { code: 132015, details: titleOf(132015) };
  if (type === 'reaction') return reactionProblem(sim, number, body);
  return assets;
}

function recipientProblem({ settings }: Sim, code: number): Failure {
  const details = code === 131026 ? 'Message Undeliverable.' : `${titleOf(code)}.`;
  if (!settings.lateCodes.includes(code)) throw new GraphError(code, details);
  return { code, details };
}

/** Unknown, 30 days old, or itself a reaction: accepted, then failed. */
function reactionProblem({ world, time }: Sim, number: PhoneNumber, body: Fields): Failure | null {
  const target = world.messages.get((body['reaction'] as { message_id: string }).message_id);
  const usable =
    target?.numberId === number.id &&
    target.type !== 'reaction' &&
    time.now().getTime() - target.at.getTime() < 30 * dayMs;
  return usable ? null : { code: 131009, details: 'The message to react to was not found.' };
}

/** A read receipt covers the earlier messages of the chat; a typing indicator is taken and forgotten. */
function markRead({ world }: Sim, number: PhoneNumber, body: Fields) {
  checkReceipt(body, '');
  const message = world.messages.get(body['message_id'] as string);
  if (message?.direction !== 'in' || message.numberId !== number.id) {
    throw invalid('Param message_id is not a message that this number received.', 131009);
  }
  for (const other of world.messages.values()) {
    const same = other.direction === 'in' && other.numberId === number.id && other.person === message.person;
    if (same && other.at <= message.at) other.readByBusiness = true;
  }
  return { success: true };
}
