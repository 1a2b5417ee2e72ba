import { useList } from '../../api/index.ts';

/** Whether a person wants no chat messages: the opt-out that says so. */
export function useOptOut(person: string) {
  const isNumber = /^\+?\d{6,}$/.test(person);
  const { rows, isLoading } = useList('/v2/opt-outs/', { number: person }, { pageSize: 10, enabled: isNumber });
  const optOut = rows.find(({ channel }) => channel === 'ALL' || channel === 'CHATAPP');
  return { optOut, isLoading, isNumber };
}
