import { Notifications, notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { takeMessages } from '../api/notifications.ts';

/** Where short messages are shown. */
export default function Messages() {
  useEffect(() => takeMessages(notifications), []);
  return <Notifications position="bottom-right" />;
}
