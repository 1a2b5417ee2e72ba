import { type Schema, useOne } from '../../../api/index.ts';

/** How this trunk does; the network status knows trunks by their names. */
export function useTrunkStatus(name: string | undefined): Schema<'VoiceNetworkLink'> | undefined {
  const status = useOne('/v2/network-status/voice/', undefined, undefined, { refetchInterval: 5000 });
  return status.data?.results.find((link) => link.carrier === 'sip' && link.name === name);
}
