import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconRefresh } from '@tabler/icons-react';
import { useAct } from '../../api/index.ts';

/** Compares with the platform. It happens every hour by itself. */
export function SyncButton() {
  const sync = useAct('post', '/v2/chatapp/flows/sync/', {
    invalidates: ['/v2/chatapp/flows/'],
    onDone: ({ chatapp_accounts: count }) =>
      notifications.show({
        message:
          count === 0
            ? 'None of your numbers has flows at a platform; the sandbox keeps its own here.'
            : `Comparing the flows of ${count} ${count === 1 ? 'number' : 'numbers'} with the platform.`,
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
