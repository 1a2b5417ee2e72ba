import type { Schema } from '../../api/index.ts';
import { Chart } from '../chart/chart.tsx';
import { sayPiece, seriesOf } from './figures.ts';
import { lengthOf } from './span.ts';

/** Some also took these steps: they are no part of the whole. */
const besides = ['REPLIED', 'CLICKED'];

/**
 * A report by time: statuses stacked up, in their colours, with what they are compared with as a line. The steps of intros stand beside
 * each other, since whoever takes one took those before.
 */
export function ReportChart({ report, label, height }: { report: Schema<'Report'>; label: string; height?: number }) {
  const days = lengthOf(report);
  const isSteps = report.metric === 'intros';
  const names = report.statuses.filter((name) => isSteps || !besides.includes(name));
  const present = names.filter((name) => isSteps || (report.total.counts[name] ?? 0) > 0);
  return (
    <Chart
      kind="bar"
      label={label}
      data={report.rows.map((row) => ({
        when: sayPiece(report.group_by, row.key, days),
        ...row.counts,
        ...(row.previous && { previous: row.previous.count }),
      }))}
      x="when"
      series={seriesOf(present.length > 0 ? present : names.slice(0, 1))}
      stacked={!isSteps}
      {...(report.compared_with && { overlay: { name: 'previous', label: 'Compared', color: 'gray.6' } })}
      {...(height && { height })}
    />
  );
}
