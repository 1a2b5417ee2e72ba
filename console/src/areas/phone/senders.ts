import { useMemo } from 'react';
import { useList } from '../../api/index.ts';
import { usePhoneFormat } from '../../parts/index.ts';
import { keyOf, type Person } from './types.ts';

/** The numbers of the business that chat. */
export const useSenders = () => useList('/v2/chatapp/accounts/', {}, { pageSize: 200 });

/** What a number is called on a phone: the other person, a sender by its name, or the number as people read it. */
export function useNames(other: Person): (number: string) => string {
  const { rows } = useSenders();
  const format = usePhoneFormat();
  return useMemo(() => {
    const named = rows.filter(({ name }) => name !== '');
    const names = new Map(named.map(({ chatapp_number: number, name }) => [keyOf(number), name]));
    return (number) => {
      if (keyOf(number) === keyOf(other.number)) return other.name || format(number);
      return names.get(keyOf(number)) ?? format(number);
    };
  }, [rows, format, other]);
}
