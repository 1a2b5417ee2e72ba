import { Group, Text } from '@mantine/core';
import { useList } from '../../api/index.ts';
import classes from './recent.module.css';

/** How the last deliveries to an endpoint went: a bar for each, and the same in words. */
export function RecentDeliveries({ uuid }: { uuid: string }) {
  const { rows, isLoading, error } = useList('/v2/webhook-deliveries/', { webhook: uuid }, { pageSize: 12 });
  const latest = rows.slice(0, 12);
  if (isLoading)
    return (
      <Text size="sm" c="dimmed">
        …
      </Text>
    );
  if (error)
    return (
      <Text size="sm" c="dimmed">
        Unknown
      </Text>
    );
  if (latest.length === 0)
    return (
      <Text size="sm" c="dimmed">
        None yet
      </Text>
    );
  const good = latest.filter(({ status }) => status === 'SUCCEEDED').length;
  return (
    <Group gap="xs" wrap="nowrap">
      <span className={classes['bars']} aria-hidden>
        {latest.toReversed().map(({ uuid: key, status }) => (
          <span key={key} className={classes['bar']} data-status={status} />
        ))}
      </span>
      <Text size="sm">
        {good} of {latest.length} delivered
      </Text>
    </Group>
  );
}
