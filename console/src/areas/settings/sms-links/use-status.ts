import { type Schema, useOne } from '../../../api/index.ts';

/** How this link does, as the network status tells every few seconds; undefined: nobody has told. */
export function useSmsStatus(uuid: string): Schema<'NetworkLink'> | undefined {
  const status = useOne('/v2/network-status/sms/', undefined, { page_size: 200 }, { refetchInterval: 5000 });
  return status.data?.results.find(({ link }) => link === uuid);
}
