import { useAct } from '../../api/index.ts';
import { confirm } from '../../parts/index.ts';

/** Ends a call, after asking. `pending` is the call that is being ended. */
export function useHangUp() {
  const act = useAct('post', '/v2/voice/calls/{uuid}/hangup/', {
    invalidates: ['/v2/voice/calls/'],
    done: 'The call is being ended.',
  });
  const hangUp = async ({ uuid, status }: { uuid: string; status: string }) => {
    const text = status === 'IN_PROGRESS' ? 'Both parties are disconnected.' : 'The caller is not connected.';
    if (await confirm({ title: 'Hang up this call?', text, button: 'Hang up' })) act.mutate({ params: { uuid } });
  };
  return { hangUp, pending: act.isPending ? act.variables?.params?.uuid : undefined };
}
