import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconRefresh } from '@tabler/icons-react';
import { useAct } from '../../api/index.ts';

/** Asks the platform what it has. It happens every hour by itself. */
export function SyncButton() {
  const sync = useAct('post', '/v2/chatapp/message-templates/sync/', {
    invalidates: ['/v2/chatapp/message-templates/'],
    onDone: ({ chatapp_accounts: count }) =>
      notifications.show({
        message:
          count === 0
            ? 'None of your numbers has templates at a platform; the sandbox keeps its own here.'
            : `Fetching the templates of ${count} ${count === 1 ? 'number' : 'numbers'}. They appear here as they come.`,
      }),
  });
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
