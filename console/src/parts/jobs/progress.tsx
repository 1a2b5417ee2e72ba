import { Group, Progress, Text } from '@mantine/core';
import type { Schema } from '../../api/index.ts';
import { sayFigure } from '../index.ts';
import { isOver } from './words.ts';

/** How far a job is, in words and as a bar. */
export function JobProgress({ job, label }: { job: Schema<'Job'>; label: string }) {
  const { done, total } = job.progress;
  const over = isOver(job.status);
  const share = over && job.status === 'SUCCEEDED' ? 100 : total ? Math.min(100, (done / total) * 100) : 0;
  const counting = !over && total === null;
  return (
    <div>
      <Group justify="space-between" mb={6} gap="xs">
        <Text size="sm" fw={600} role="status">
          {sayStatus(job)}
        </Text>
        <Text size="sm" c="dimmed">
          {sayFigure(done)}
          {total !== null && ` of ${sayFigure(total)}`}
          {!over && share > 0 && ` (${Math.floor(share)}%)`}
        </Text>
      </Group>
      <Progress
        size="lg"
        value={counting ? 100 : share}
        animated={!over}
        striped={!over}
        color={job.status === 'FAILED' ? 'red.7' : job.status === 'CANCELLED' ? 'gray.6' : 'brand.6'}
        aria-label={label}
      />
    </div>
  );
}

function sayStatus({ status, progress }: Schema<'Job'>): string {
  switch (status) {
    case 'QUEUED':
      return 'Queued';
    case 'RUNNING':
      return progress.total === null ? 'Preparing' : 'In progress';
    case 'SUCCEEDED':
      return 'Finished';
    case 'FAILED':
      return 'Failed';
    case 'CANCELLED':
      return 'Cancelled';
  }
}
