import { type Schema, useList } from '../../api/index.ts';

export type Template = Schema<'MessageTemplate'>;

/** The templates of a number. Of several languages with no choice made, an approved one comes first. */
export function useDefinitions(chatappNumber: string, enabled = true) {
  const { rows, isLoading } = useList(
    '/v2/chatapp/message-templates/',
    { chatapp_number: chatappNumber },
    { pageSize: 200, enabled: enabled && chatappNumber.replaceAll(/\D/g, '').length > 5 },
  );
  const sorted = rows.toSorted((one, other) => Number(other.status === 'APPROVED') - Number(one.status === 'APPROVED'));
  return {
    isLoading,
    templates: sorted,
    names: [...new Set(sorted.map(({ name }) => name))].toSorted(),
    find(name: string, language = ''): Template | undefined {
      const named = sorted.filter((template) => template.name === name);
      return named.find((template) => template.language_code === language) ?? named[0];
    },
  };
}
