import { useList } from '../../api/index.ts';
import type { Definition } from './template-form.ts';

/** The templates of a number by their names; of several languages the approved one that comes first. */
export function useTemplates(chatappNumber: string): { names: string[]; find(name: string): Definition | undefined } {
  const { rows } = useList(
    '/v2/chatapp/message-templates/',
    { chatapp_number: chatappNumber },
    {
      pageSize: 200,
      enabled: chatappNumber.replaceAll(/\D/g, '').length > 5,
    },
  );
  const sorted = rows.toSorted((one, other) => Number(other.status === 'APPROVED') - Number(one.status === 'APPROVED'));
  return {
    names: [...new Set(sorted.map(({ name }) => name))].toSorted(),
    find: (name) => sorted.find((template) => template.name === name),
  };
}
