import { type Schema, useList } from '../../../../api/index.ts';

/** A few of those who would get it, to try the message on; of everybody, if no list is chosen. */
export function usePeople(lists: readonly string[]): { people: Schema<'Contact'>[]; isLoading: boolean } {
  const [first] = lists;
  const members = useList(
    '/v2/lists/{uuid}/contacts/',
    {},
    { params: { uuid: first ?? '' }, pageSize: 25, enabled: first !== undefined },
  );
  const anybody = useList('/v2/contacts/', {}, { pageSize: 25, enabled: first === undefined });
  const { rows, isLoading } = first === undefined ? anybody : members;
  return { people: rows.slice(0, 25), isLoading };
}
