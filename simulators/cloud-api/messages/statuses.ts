import { webhookError } from '../graph/errors.ts';
import type { Sim } from '../sim.ts';
import { chatOf, dayMs, type Message, type Person, phoneVisible } from '../world.ts';

export type StatusName = 'sent' | 'delivered' | 'read' | 'played' | 'failed';

export interface Failure {
  code: number;
  details: string;
}

const steps = ['sent', 'delivered', 'read'] as const;

/** What happens to a message after the platform took it: sent → delivered → read as far as it comes, or failed. */
export function follow(sim: Sim, message: Message, failure: Failure | null): void {
  const { settings, time } = sim;
  if (failure) {
    time.later(settings.sentAfterMs, () => report(sim, message, 'failed', failure));
    return;
  }
  // A reaction is never delivered or read.
  const usual = message.person.reach ?? settings.reach;
  const reach = message.type === 'reaction' && usual !== 'none' ? 'sent' : usual;
  let delayMs = 0;
  for (const step of steps.slice(0, steps.indexOf(reach as 'sent') + 1)) {
    delayMs += settings[`${step}AfterMs`];
    time.later(delayMs, () => report(sim, message, step, null));
  }
}

/** Tells the client of one status of a message. */
export function report(sim: Sim, message: Message, status: StatusName, failure: Failure | null): void {
  const { world, time } = sim;
  const { person, numberId } = message;
  const failed = status === 'failed';
  const visible = message.byPhone || phoneVisible(world, numberId, person, time.now());
  const data = message.payload['biz_opaque_callback_data'];
  const paid = status === 'sent' || (status === 'delivered' && !message.statuses.includes('read'));
  message.statuses.push(status);
  const item = {
    id: message.id,
    status,
    timestamp: String(time.seconds()),
    ...(visible && { recipient_id: person.waId }),
    ...(!(failed && message.byPhone) && { recipient_user_id: person.userId }),
    ...(paid && pricingOf(sim, message)),
    ...(failure && { errors: [webhookError(failure.code, failure.details)] }),
    ...(data !== undefined && { biz_opaque_callback_data: data }),
  };
  const contact = failed ? null : contactOf(person, visible, status !== 'sent');
  sim.outbox.emit({
    accountId: accountOf(sim, numberId),
    numberId,
    field: 'messages',
    list: 'statuses',
    item,
    contact,
  });
}

/** A person as webhooks introduce them. What is hidden is left out, not empty. */
export const contactOf = (person: Person, visible: boolean, withUsername = true) => ({
  profile: { name: person.name, ...(withUsername && person.username !== null && { username: person.username }) },
  ...(visible && { wa_id: person.waId }),
  user_id: person.userId,
});

export const accountOf = (sim: Sim, numberId: string): string => sim.world.numbers.get(numberId)!.accountId;

/** Whose bill a message goes on; conversations are told only within a free entry point. */
function pricingOf(sim: Sim, { template, numberId, person, id }: Message) {
  const referredAt = chatOf(sim.world, numberId, person).referralAt;
  if (referredAt && sim.time.now().getTime() - referredAt.getTime() < 3 * dayMs) {
    const pricing = {
      billable: false,
      pricing_model: 'PMP',
      type: 'free_entry_point',
      category: 'referral_conversion',
    };
    return { conversation: { id: id.slice(-32), origin: { type: 'referral_conversion' } }, pricing };
  }
  if (template) {
    return {
      pricing: { billable: true, pricing_model: 'PMP', type: 'regular', category: template.category.toLowerCase() },
    };
  }
  return { pricing: { billable: false, pricing_model: 'PMP', type: 'free_customer_service', category: 'service' } };
}
