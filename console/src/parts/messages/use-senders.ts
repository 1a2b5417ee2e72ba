import { type Schema, useList } from '../../api/index.ts';
import { usePhoneFormat } from '../index.ts';

export type Sender = Schema<'ChatappAccount'>;

/** The same number, however it is written; ids of people who hide theirs stay as they are. */
export const compact = (number: string): string =>
  /^[+\d\s().-]+$/.test(number) ? number.replaceAll(/[\s().-]/g, '') : number;

/** The account's chat-app senders, and as options of a select. */
export function useSenders(enabled = true) {
  const { rows, isLoading } = useList('/v2/chatapp/accounts/', undefined, { pageSize: 200, enabled });
  const say = usePhoneFormat();
  const nameOf = (number: string): string =>
    rows.find((sender) => compact(sender.chatapp_number) === compact(number))?.name || say(number);
  return {
    senders: rows,
    isLoading,
    nameOf,
    find: (number: string): Sender | undefined =>
      rows.find((sender) => compact(sender.chatapp_number) === compact(number)),
    options: rows.map(({ chatapp_number, name }) => ({
      value: compact(chatapp_number),
      label: name ? `${name} (${say(chatapp_number)})` : say(chatapp_number),
    })),
  };
}

/** What a filter by sender offers. */
export const useSenderOptions = (isWanted: boolean) => useSenders(isWanted).options;
