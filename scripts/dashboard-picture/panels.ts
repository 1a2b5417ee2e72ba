/** The panels of a Grafana dashboard, each with what Prometheus answers to its queries. */
import { readFileSync } from 'node:fs';

export interface Series {
  label: string;
  points: [atS: number, value: number][];
}

export interface Panel {
  type: 'stat' | 'timeseries';
  title: string;
  place: { x: number; y: number; w: number; h: number };
  unit: string;
  isStacked: boolean;
  fillOpacity: number;
  series: Series[];
}

export interface Range {
  startS: number;
  endS: number;
  stepS: number;
}

interface DashboardFile {
  title: string;
  panels: {
    type: Panel['type'];
    title: string;
    gridPos: Panel['place'];
    fieldConfig: { defaults: { unit: string; custom?: { fillOpacity: number; stacking: { mode: string } } } };
    targets: { expr: string; legendFormat: string }[];
  }[];
}

export async function readDashboard(file: string, prometheus: string, range: Range) {
  const { title, panels }: DashboardFile = JSON.parse(readFileSync(file, 'utf8'));
  const read: Panel[] = [];
  for (const { type, title: name, gridPos, fieldConfig, targets } of panels) {
    const { unit, custom } = fieldConfig.defaults;
    const answers = await Promise.all(targets.map((target) => ask(prometheus, target, range)));
    read.push({
      type,
      title: name,
      place: gridPos,
      unit,
      isStacked: custom?.stacking.mode === 'normal',
      fillOpacity: (custom?.fillOpacity ?? 0) / 100,
      series: answers.flat(),
    });
  }
  return { title, panels: read };
}

/** As Grafana asks: all instances, and rates over four scrapes. */
async function ask(
  prometheus: string,
  target: DashboardFile['panels'][number]['targets'][number],
  range: Range,
): Promise<Series[]> {
  const query = target.expr.replaceAll('$instance', '.*').replaceAll('$__rate_interval', `${range.stepS * 4}s`);
  const asked = new URLSearchParams({
    query,
    start: String(range.startS),
    end: String(range.endS),
    step: String(range.stepS),
  });
  const response = await fetch(`${prometheus}/api/v1/query_range?${asked}`, { signal: AbortSignal.timeout(30_000) });
  const answer = (await response.json()) as {
    status: string;
    error?: string;
    data: { result: { metric: Record<string, string>; values: [number, string][] }[] };
  };
  if (answer.status !== 'success') throw new Error(`${query}: ${answer.error}`);
  return answer.data.result
    .map(({ metric, values }) => ({
      label: target.legendFormat.replace(/\{\{(\w+)\}\}/g, (_, label: string) => metric[label] ?? ''),
      points: values
        .map(([atS, value]): [number, number] => [atS, Number(value)])
        .filter(([, value]) => Number.isFinite(value)),
    }))
    .filter(({ points }) => points.length > 0)
    .toSorted((one, other) => (one.label < other.label ? -1 : 1));
}
