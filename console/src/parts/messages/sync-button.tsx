import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useAct } from '../../api/index.ts';
import { notifications } from '../../api/notifications.ts';

const doors = { flows: '/v2/chatapp/flows/', templates: '/v2/chatapp/message-templates/' } as const;

/** Asks the platform what it has. It happens every hour by itself. */
export function SyncButton({ what }: { what: keyof typeof doors }) {
  const sync = useAct('post', `${doors[what]}sync/`, {
    invalidates: [doors[what]],
    onDone: ({ chatapp_accounts: count }) =>
      notifications.show({
        message:
          count === 0
            ? `None of your numbers has ${what} at a platform; the sandbox keeps its own here.`
            : `Fetching the ${what} of ${count} ${count === 1 ? 'number' : 'numbers'}. They appear here as they come.`,
      }),
  });
  if (!sync.may) return null;
  return (
    <Button
      variant="default"
      leftSection={<IconRefresh size={16} />}
      loading={sync.isPending}
      onClick={() => sync.mutate({ body: {} })}
    >
      Sync
    </Button>
  );
}
