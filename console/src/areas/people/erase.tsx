import { useLocation } from 'wouter';
import { useAct } from '../../api/index.ts';
import { TypeToConfirm } from '../../parts/index.ts';

/** Erases a person, for somebody who writes the number once more. */
export function EraseDialog({ number, onClose }: { number: string; onClose(): void }) {
  const [, navigate] = useLocation();
  const erase = useAct('delete', '/v2/people/{number}/', {
    invalidates: ['/v2/people/', '/v3/jobs/'],
    done: 'Erasing…',
    onDone: ({ id }) => navigate(`/jobs/${id}`),
  });
  return (
    <TypeToConfirm
      title={`Erase ${number}`}
      label="Number of the person"
      value={number}
      isPhone
      confirm="Erase permanently"
      isPending={erase.isPending}
      onConfirm={() => erase.mutate({ params: { number } })}
      onClose={onClose}
    >
      Messages, SMS, calls, recordings, sessions, leads and the contact go, and cannot be brought back. Counters stay,
      and whatever the person opted out of still holds.
    </TypeToConfirm>
  );
}
