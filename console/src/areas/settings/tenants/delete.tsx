import { useLocation } from 'wouter';
import { type Schema, useAct } from '../../../api/index.ts';
import { TypeToConfirm } from '../../../parts/index.ts';

/** Deletes an account, of somebody who can write its name. */
export function DeleteDialog({ tenant: { uuid, name }, onClose }: { tenant: Schema<'Tenant'>; onClose(): void }) {
  const [, navigate] = useLocation();
  const remove = useAct('delete', '/v2/accounts/{uuid}/', {
    invalidates: ['/v2/accounts/', '/v3/jobs/'],
    done: 'It is being deleted.',
    onDone: ({ id }) => navigate(`/jobs/${id}`),
  });
  return (
    <TypeToConfirm
      title={`Delete “${name}”`}
      label="Name of the account"
      value={name}
      confirm="Delete for good"
      isPending={remove.isPending}
      onConfirm={() => remove.mutate({ params: { uuid } })}
      onClose={onClose}
    >
      Everything goes: messages, calls, recordings, contacts, users, tokens, files. Its numbers go back to the pool. It
      cannot be brought back.
    </TypeToConfirm>
  );
}
