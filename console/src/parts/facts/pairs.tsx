import { Text } from '@mantine/core';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Free JSON in lines of a name and its value; nothing for what is no object. */
export function Pairs({ of }: { of: unknown }) {
  if (typeof of !== 'object' || of === null) return null;
  return (
    <dl style={{ margin: 0 }}>
      {Object.entries(of).map(([name, value]) => (
        <Text key={name} component="div" size="sm" style={{ overflowWrap: 'anywhere' }}>
          <dt style={{ display: 'inline', fontWeight: 600 }}>{name}: </dt>
          <dd style={{ display: 'inline', margin: 0 }}>{textOf(value)}</dd>
        </Text>
      ))}
    </dl>
  );
}
