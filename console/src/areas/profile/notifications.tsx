import { Stack, Switch, Text } from '@mantine/core';
import { type Schema, useAct } from '../../api/index.ts';
import { Section } from '../../parts/index.ts';

const choices = [
  ['messages', 'New messages', 'A chat message or an SMS came in.'],
  ['missed_calls', 'Missed calls', 'Nobody answered an incoming call.'],
] as const;

/** What one is told of while one looks at something else. The browser asks once whether it may. */
export function NotificationChoices({ profile }: { profile: Schema<'Profile'> }) {
  const save = useAct('patch', '/v2/users/me/', { invalidates: ['/v2/users/me/'], done: 'Saved.' });
  const choose = async (name: (typeof choices)[number][0], wanted: boolean) => {
    if (wanted && 'Notification' in window) await Notification.requestPermission();
    save.mutate({ body: { notifications: { [name]: wanted } } });
  };
  const isBlocked = 'Notification' in window && Notification.permission === 'denied';
  return (
    <Section
      title="Notifications"
      description="Shown by the browser while the console is open in a tab that you are not looking at."
    >
      <Stack gap="sm">
        {choices.map(([name, label, description]) => (
          <Switch
            key={name}
            label={label}
            description={description}
            checked={profile.notifications[name]}
            disabled={save.isPending}
            onChange={(event) => void choose(name, event.currentTarget.checked)}
          />
        ))}
        {isBlocked && (
          <Text size="sm" c="dimmed">
            This browser blocks notifications of this site; allow them in its settings.
          </Text>
        )}
      </Stack>
    </Section>
  );
}
