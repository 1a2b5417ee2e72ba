import type { InboundEvent, Receipt, SenderRef } from '../../ports/inbox.ts';
import { fieldsOf, idOf, listOf, momentOf, personOf, textOf } from './read.ts';

/** A voice note that was played was read. */
const statuses: ReadonlyMap<unknown, Receipt['status']> = new Map([
  ['sent', 'SENT'],
  ['delivered', 'DELIVERED'],
  ['read', 'READ'],
  ['played', 'READ'],
  ['failed', 'FAILED'],
]);

/** As our ids are printed (RFC 9562, version 7). */
const ourId = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** One element of `statuses`; 'not ours' for a message that another program sent with the same number. */
export function readStatus(item: unknown, sender: SenderRef): InboundEvent | 'not ours' | undefined {
  const report = fieldsOf(item);
  if (!report) return undefined;
  const messageUuid = textOf(report.biz_opaque_callback_data);
  if (messageUuid === undefined || !ourId.test(messageUuid)) return 'not ours';
  const [id, status, at] = [idOf(report.id), statuses.get(report.status), momentOf(report.timestamp)];
  if (id === undefined || !status || !at) return undefined;
  const receipt = { kind: 'receipt' as const, sender, messageUuid, status, carrierMessageId: id, at };
  return status === 'FAILED' ? { ...receipt, ...reasonOf(report.errors) } : receipt;
}

/** The first error says it; titles are said to go away, so details count. */
function reasonOf(errors: unknown): { code?: string; description?: string } {
  const error = fieldsOf(listOf(errors)[0]) ?? {};
  const code = idOf(error.code);
  const description =
    textOf(fieldsOf(error.error_data)?.details) || textOf(error.title) || textOf(error.message) || undefined;
  return { ...(code !== undefined && { code }), ...(description !== undefined && { description }) };
}

/** One element of `user_preferences`: what a person told the platform about marketing. */
export function readPreference(item: unknown, sender: SenderRef): InboundEvent | undefined {
  const preference = fieldsOf(item);
  if (preference?.category !== 'marketing_messages') return undefined;
  const [from, at] = [personOf(preference.wa_id, preference.user_id), momentOf(preference.timestamp)];
  if (!from || !at || (preference.value !== 'stop' && preference.value !== 'resume')) return undefined;
  const text = textOf(preference.detail) ?? '';
  return { kind: 'preference', sender, from, wantsMarketing: preference.value === 'resume', text, at };
}
