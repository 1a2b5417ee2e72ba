import { SimpleGrid } from '@mantine/core';
import { Stat } from '../index.ts';
import { figuresOf } from './words.ts';

const wouldBe: Record<string, string> = {
  created: 'Would be created',
  updated: 'Would be updated',
  unchanged: 'Would be unchanged',
  repeated: 'Repeated in the file',
  failed: 'Would be rejected',
};

/** What came of a job, or of trying it, as figures. */
export function JobFigures({ result, isDryRun = false }: { result: object | null; isDryRun?: boolean }) {
  const figures = figuresOf(result);
  if (figures.length === 0) return null;
  return (
    <SimpleGrid cols={{ base: 2, sm: Math.min(4, figures.length) }}>
      {figures.map(({ name, label, value }) => (
        <Stat key={name} label={isDryRun ? (wouldBe[name] ?? label) : label} value={value} />
      ))}
    </SimpleGrid>
  );
}
