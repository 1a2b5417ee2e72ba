import type { Deps } from '../../deps.ts';
import { sentenceOf, ValidationError } from '../../platform/errors.ts';
import { bodyValidator } from '../../platform/http/validation/index.ts';
import { render } from '../../platform/text/fill.ts';
import { cut } from '../../platform/text/fit.ts';
import { findNotifyTemplate, phoneReader } from '../accounts/index.ts';
import { type AgentRow, assignAgent, phonesOf } from '../agents/index.ts';
import { resolveSenders } from '../chatapp-accounts/index.ts';
import { type MessageCreate, messageErrors, sendMessages } from '../messages/index.ts';
import { type RouteDestination, wantedBy } from '../routing/index.ts';
import { findAccountLinks, SmsCreate, sendSmsAll } from '../sms/index.ts';
import { isBusiness, type Written, type WrittenChannel } from './route-queries.ts';

/** It was taken: what became of it. */
export interface Passed {
  data: { to: string; sent?: string };
  /** Where the event about it goes, beside those who listen. */
  callbackUrl?: string;
}
type Outcome = Passed | { problem: string; code?: string };

type To<T extends RouteDestination['type']> = Extract<RouteDestination, { type: T }>;

const usualText = '{{from}}: {{text}}';
/** Ten parts of an SMS hold 670 characters of any kind; what the platform takes is far more. */
const longest = { SMS: 660, CHATAPP: 4000 };
const longestParameter = 1000;

/** Sends a message on to one destination, or says why that is not possible. */
export async function carryOut(
  deps: Deps,
  accountId: string,
  channel: WrittenChannel,
  written: Written,
  destination: RouteDestination,
): Promise<Outcome> {
  switch (destination.type) {
    case 'WEBHOOK':
      return { data: { to: destination.url }, callbackUrl: destination.url };
    case 'CHATAPP': {
      if (destination.to !== undefined)
        return sendChat(deps, accountId, written, { ...destination, to: destination.to });
      const found = await findReceiver(deps, accountId, { agent: destination.agent! }, written);
      return found ? chatWithAgent(deps, accountId, written, destination, found) : noAgent;
    }
    case 'SMS': {
      const to = destination.to ?? (await findReceiver(deps, accountId, { agent: destination.agent! }, written))?.phone;
      return to === undefined ? noAgent : sendText(deps, accountId, written, { ...destination, to });
    }
    case 'AGENT': {
      const found = await findReceiver(deps, accountId, wantedBy(destination), written);
      if (!found) return noAgent;
      // By the way it came, from the number that was written to.
      return channel === 'SMS'
        ? sendText(deps, accountId, written, { type: 'SMS', from: written.number, to: found.phone })
        : chatWithAgent(deps, accountId, written, { type: 'CHATAPP', chatapp_number: written.number }, found);
    }
    default:
      // What calls are sent to is refused in a config for messages.
      return { problem: `A message cannot go to ${destination.type}.` };
  }
}

const noTemplate = {
  problem:
    'The agent has not written within 24 hours, and there is no template for them: set `template` of the agent or `notify_template` of the account.',
};
const noAgent = { problem: 'No agent with a phone number is available.' };
const fromTrial = { problem: 'It came by the sandbox, and this destination reaches real people.' };
const ownNumber = { problem: 'This is a business number, which would forward the message again.' };

interface Receiver {
  agent: AgentRow;
  phone: string;
}

/** Whoever is to get a message, and on which phone. */
async function findReceiver(
  deps: Deps,
  accountId: string,
  wanted: Parameters<typeof assignAgent>[2],
  { created }: Written,
): Promise<Receiver | undefined> {
  const agents = await assignAgent(deps, accountId, wanted, new Date(created));
  return agents.flatMap((agent) => phonesOf(agent).map((phone) => ({ agent, phone })))[0];
}

/**
 * To an agent who wrote within 24 hours as the route says, and to any other by a template: the route's, the agent's or the
 * account's.
 */
async function chatWithAgent(
  deps: Deps,
  accountId: string,
  written: Written,
  destination: To<'CHATAPP'>,
  { agent, phone: to }: Receiver,
): Promise<Outcome> {
  const outcome = await sendChat(deps, accountId, written, { ...destination, to });
  if (!('code' in outcome) || outcome.code !== 'window_closed') return outcome;
  const template = agent.template ?? (await findNotifyTemplate(deps, accountId));
  return template ? sendChat(deps, accountId, written, { ...destination, to, template }) : noTemplate;
}

const fill = (template: string, { text, type, person, number }: Written, most: number): string =>
  cut(render(template, { text: text || `[${type}]`, from: person, number }).text, most);

/** Whether it was written by nobody real: such a message never leaves for real people. */
const isTrial = ({ carriers }: Deps, { carrier }: Written): boolean => carrier !== null && carriers.trials.has(carrier);

async function isLiveSender(deps: Deps, accountId: string, chatappNumber: string): Promise<boolean> {
  const [sender] = await resolveSenders(deps, [{ accountId, chatappNumber }]);
  return sender !== undefined && !deps.carriers.trials.has(sender.carrier);
}

const hasLiveLink = async (deps: Deps, accountId: string): Promise<boolean> =>
  (await findAccountLinks(deps, [accountId])).get(accountId)?.isLive ?? false;

const isOwnNumber = async (deps: Deps, accountId: string, channel: WrittenChannel, to: string): Promise<boolean> =>
  isBusiness(deps.db, accountId, channel, (await phoneReader(deps, accountId))(to));

async function sendChat(
  deps: Deps,
  accountId: string,
  written: Written,
  { chatapp_number, to, text = usualText, template }: To<'CHATAPP'> & { to: string },
): Promise<Outcome> {
  if (await isOwnNumber(deps, accountId, 'CHATAPP', to)) return ownNumber;
  if (isTrial(deps, written) && (await isLiveSender(deps, accountId, chatapp_number))) return fromTrial;
  const content = template
    ? { type: 'TEMPLATE', template: templateOf(template, written) }
    : { type: 'TEXT', text: { body: fill(text, written, longest.CHATAPP) } };
  const meta_data = { routed_from: written.uuid };
  const request = { chatapp_number, to_chatapp_number: to, ...content, meta_data };
  const errors = messageErrors(request);
  if (errors) return { problem: sentenceOf(errors as Parameters<typeof sentenceOf>[0]) };
  const [sent] = await sendMessages(deps, [{ accountId, request: request as unknown as MessageCreate }]);
  return outcomeOf(sent!, to);
}

function templateOf(template: NonNullable<To<'CHATAPP'>['template']>, written: Written) {
  const { template_name, language_code, parameters = [] } = template;
  const filled = parameters.map((parameter) => ({
    type: 'text',
    // The platform refuses line breaks and empty texts in parameters.
    text: fill(parameter, written, longestParameter).replaceAll(/\s+/g, ' ').trim() || '-',
  }));
  const components = filled.length === 0 ? [] : [{ type: 'body', parameters: filled }];
  return { template_name, ...(language_code && { language_code }), components };
}

const smsErrors = bodyValidator(SmsCreate);

async function sendText(
  deps: Deps,
  accountId: string,
  written: Written,
  { from, to, text = usualText }: To<'SMS'> & { to: string },
): Promise<Outcome> {
  if (await isOwnNumber(deps, accountId, 'SMS', to)) return ownNumber;
  if (isTrial(deps, written) && (await hasLiveLink(deps, accountId))) return fromTrial;
  const meta_data = { routed_from: written.uuid };
  const request = { from, to, text: fill(text, written, longest.SMS), meta_data };
  const errors = smsErrors(request);
  if (errors) return { problem: sentenceOf(errors as Parameters<typeof sentenceOf>[0]) };
  const [sent] = await sendSmsAll(deps, [{ accountId, request }]);
  return outcomeOf(sent!, to);
}

const outcomeOf = (sent: PromiseSettledResult<{ uuid: string }>, to: string): Outcome =>
  sent.status === 'fulfilled'
    ? { data: { to, sent: sent.value.uuid } }
    : { problem: reasonOf(sent.reason), code: (sent.reason as { code?: string }).code ?? '' };

const reasonOf = (reason: Error): string =>
  reason instanceof ValidationError ? sentenceOf(reason.errors) : reason.message;
