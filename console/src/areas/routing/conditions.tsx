import { ActionIcon, Box, Button, Menu, Skeleton, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconPlus, IconX } from '@tabler/icons-react';
import { Suspense } from 'react';
import { TimeZoneSelect } from '../../parts/hours/time-zone-select.tsx';
import { pagesOf } from '../../parts/loading/lazily.ts';
import { conditionKinds, kindsIn } from './condition-kinds.ts';
import classes from './routing.module.css';
import type { Conditions, ConfigValues } from './values.ts';

/** Most kinds have a field of their own, with what it is made of. */
const { ConditionField } = pagesOf(() => import('./condition-field.tsx'));

interface ConditionsFieldsProps {
  form: UseFormReturnType<ConfigValues>;
  /** Which route, from 0. */
  index: number;
}

/** The conditions of a route: all must hold. */
export function ConditionsFields({ form, index }: ConditionsFieldsProps) {
  const at = `routes.${index}.conditions`;
  const { channel, routes } = form.values;
  const conditions: Conditions = routes[index]?.conditions ?? {};
  const present = kindsIn(conditions);
  const offered = conditionKinds.filter(
    ({ kind, channels }) => conditions[kind] === undefined && (!channels || channels.includes(channel)),
  );
  const isTimed = present.some(({ kind }) => ['time_windows', 'weekdays', 'holidays'].includes(kind));
  const remove = (kind: string) =>
    form.setFieldValue(at, Object.fromEntries(Object.entries(conditions).filter(([name]) => name !== kind)) as never);
  return (
    <Stack gap="sm">
      {present.length === 0 && (
        <Text size="sm" c="dimmed">
          Without a condition it always matches.
        </Text>
      )}
      {present.map(({ kind, title }) => (
        <div key={kind} className={classes['condition']}>
          <Box flex={1} miw={0}>
            <Suspense fallback={<Skeleton h={60} />}>
              <ConditionField form={form} at={at} kind={kind} />
            </Suspense>
          </Box>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Remove the condition: ${title}`}
            onClick={() => remove(kind)}
          >
            <IconX size={16} />
          </ActionIcon>
        </div>
      ))}
      {isTimed && (
        <TimeZoneSelect label="Time zone of these hours and days" {...form.getInputProps(`${at}.time_zone`)} />
      )}
      <Menu position="bottom-start">
        <Menu.Target>
          <Button variant="default" size="xs" leftSection={<IconPlus size={14} />} style={{ alignSelf: 'flex-start' }}>
            Add a condition
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {offered.map(({ kind, title, icon: Icon, start }) => (
            <Menu.Item
              key={kind}
              leftSection={<Icon size={16} />}
              onClick={() => form.setFieldValue(at, { ...conditions, ...start } as never)}
            >
              {title}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Stack>
  );
}
