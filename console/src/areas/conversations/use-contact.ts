import { useList } from '../../api/index.ts';

/** The contact with this number, if there is one; people who hide their number have none. */
export function useContact(person: string) {
  const enabled = /^\+?\d{6,}$/.test(person);
  const { rows, isLoading } = useList('/v2/contacts/', { phone_number: person }, { pageSize: 1, enabled });
  return { contact: rows[0], isLoading };
}
