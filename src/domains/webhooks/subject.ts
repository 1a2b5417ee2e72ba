import { isUuid } from '../../platform/ids.ts';

/** The id of what an event tells of: the thing that its data shows, or the first of these that it names; null: none has an id. */
export function subjectOf(data: Record<string, unknown>): string | null {
  const { uuid, message, chat_intro, call, sms, id } = data;
  const candidates = [uuid, (message as { uuid?: unknown } | undefined)?.uuid, chat_intro, call, message, sms, id];
  return candidates.find((one): one is string => typeof one === 'string' && isUuid(one)) ?? null;
}
