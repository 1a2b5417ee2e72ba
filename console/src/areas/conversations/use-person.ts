import { useList } from '../../api/index.ts';
import type { Pair } from './types.ts';
import { useContact } from './use-contact.ts';

/** What is known of who is talking: the conversation, and what the person is called, or an empty text. */
export function usePerson({ sender, person }: Pair) {
  const found = useList('/v2/chatapp/conversations/', { chatapp_number: sender, number: person }, { pageSize: 1 });
  const { contact } = useContact(person);
  const conversation = found.rows[0];
  return { conversation, isLoading: found.isLoading, name: conversation?.name || contact?.name || '' };
}
