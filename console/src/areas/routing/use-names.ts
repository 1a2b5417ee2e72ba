import { useQuery } from '@tanstack/react-query';
import { useList } from '../../api/index.ts';
import { usePhoneFormat } from '../../parts/index.ts';
import type { Names } from './words.ts';

/** Agents and lists by name, for sentences and selects. */
export function useNames(): Names & {
  agents: { value: string; label: string }[];
  lists: { value: string; label: string }[];
  skills: string[];
} {
  const agents = useList('/v2/agent-configs/', {}, { pageSize: 200 });
  const lists = useList('/v2/lists/', {}, { pageSize: 200 });
  const phone = usePhoneFormat();
  return {
    agents: agents.rows.map(({ uuid, name }) => ({ value: uuid, label: name })),
    lists: lists.rows.map(({ uuid, name }) => ({ value: uuid, label: name })),
    skills: [...new Set(agents.rows.flatMap((one) => one.skills))].sort(),
    agent: (uuid) =>
      agents.rows.find((one) => one.uuid === uuid)?.name ?? (agents.isLoading ? '…' : 'an agent who is gone'),
    list: (uuid) => lists.rows.find((one) => one.uuid === uuid)?.name ?? 'a list',
    phone,
  };
}

/** The codes of all countries that have numbers. They come with the rules of numbers, which are loaded anyway. */
export function useCountries(): string[] {
  const { data } = useQuery({
    queryKey: ['countries'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => (await import('libphonenumber-js/min')).getCountries() as string[],
  });
  return data ?? [];
}
