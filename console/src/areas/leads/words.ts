import { useList } from '../../api/index.ts';

export const leadStatuses = ['NEW', 'OPEN', 'WON', 'LOST'] as const;

/** Where a lead came from. */
export const saySource = (source: string): string => (source === 'chat_intro' ? 'An intro' : source);

/** Who may own a lead: those who own one of the newest, and the agents. */
export function useOwners(enabled = true): string[] {
  const leads = useList('/v2/chatapp/leads/', undefined, { pageSize: 200, enabled });
  const agents = useList('/v2/agent-configs/', undefined, { pageSize: 200, enabled });
  const names = [...leads.rows.map(({ owner }) => owner), ...agents.rows.map(({ name }) => name)];
  return [...new Set(names.filter((name) => name !== ''))].sort((one, other) => one.localeCompare(other));
}
