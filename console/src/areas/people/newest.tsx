import { Anchor, Group, List, Text } from '@mantine/core';
import { Link } from 'wouter';
import { Time } from '../../parts/index.ts';
import type { KnownKind } from './words.ts';

type Row = Record<string, unknown>;

const momentOf = (row: Row): string | undefined =>
  [row['created'], row['last_inbound_at'], row['at']].find((at): at is string => typeof at === 'string');

/** The newest rows of a kind, each in a line. */
export const Newest = ({ kind, rows }: { kind: KnownKind; rows: Row[] }) => (
  <List listStyleType="none" spacing="xs" size="sm">
    {rows.map((row, place) => {
      const at = momentOf(row);
      const words = kind.say(row) || '–';
      return (
        <List.Item key={String(row['uuid'] ?? place)}>
          <Group gap="xs">
            {at && (
              <Text size="sm" c="dimmed" component="span">
                <Time at={at} />
              </Text>
            )}
            {kind.href ? (
              <Anchor component={Link} href={kind.href(row)} size="sm" style={{ overflowWrap: 'anywhere' }}>
                {words}
              </Anchor>
            ) : (
              <Text size="sm" component="span" style={{ overflowWrap: 'anywhere' }}>
                {words}
              </Text>
            )}
          </Group>
        </List.Item>
      );
    })}
  </List>
);
