import { Anchor, Group, SegmentedControl, Skeleton } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { useOne } from '../../api/index.ts';
import { Section } from '../../parts/index.ts';
import { piecesFor } from '../../parts/range/figures.ts';
import type { Range } from '../../parts/range/range.tsx';
import { ReportChart } from '../../parts/range/report-chart.tsx';
import { lengthOf } from '../../parts/range/span.ts';

const subjects = [
  { value: 'messages', label: 'Chat' },
  { value: 'sms', label: 'SMS' },
  { value: 'calls', label: 'Calls' },
  { value: 'intros', label: 'Intros' },
];
type Subject = 'messages' | 'sms' | 'calls' | 'intros';

/** How it went, hour by hour, day by day, or in longer pieces. */
export function OverTime({ range }: { range: Range }) {
  const [subject, setSubject] = useState<Subject>('messages');
  const group_by = piecesFor(lengthOf(range));
  const { data } = useOne('/v2/reports/', {}, { ...range, metric: subject, group_by });
  return (
    <Section
      title="Over time"
      actions={
        <Group gap="xs">
          <SegmentedControl
            size="xs"
            aria-label="What to show"
            data={subjects}
            value={subject}
            onChange={(value) => setSubject(value as Subject)}
          />
          <Anchor
            component={Link}
            href={`/reports?${new URLSearchParams({ ...range, metric: subject, group_by })}`}
            size="sm"
          >
            Open the report
          </Anchor>
        </Group>
      }
    >
      {data ? <ReportChart report={data} label={`Over time: ${subject}`} height={240} /> : <Skeleton h={240} />}
    </Section>
  );
}
