import type { CollectedSpan } from '../../test/monitoring/collector.ts';

const [width, labels, right, rowHeight, top] = [1000, 300, 90, 26, 64];
/** By the kind of OpenTelemetry: internal, server, client. */
const colours: Record<number, string> = { 1: '#868e96', 2: '#1971c2', 3: '#2f9e44' };
const widthMs = (ms: number): string => (ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`);
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** The spans of a trace below each other, by the time at which they began. */
export function drawTrace(spans: CollectedSpan[]): string {
  const startOf = ({ startTimeUnixNano }: CollectedSpan): bigint => BigInt(startTimeUnixNano);
  const first = spans.map(startOf).reduce((one, other) => (one < other ? one : other));
  const msOf = (nanos: string): number => Number(BigInt(nanos) - first) / 1e6;
  const rows = spans
    .map(({ name, kind, startTimeUnixNano, endTimeUnixNano }) => ({
      name,
      kind,
      startMs: msOf(startTimeUnixNano),
      endMs: msOf(endTimeUnixNano),
    }))
    .toSorted((one, other) => one.startMs - other.startMs || other.endMs - one.endMs);
  const totalMs = Math.max(...rows.map(({ endMs }) => endMs));
  const x = (ms: number): number => labels + (ms / totalMs) * (width - labels - right);
  const height = top + rows.length * rowHeight + 16;
  const step = niceStep(totalMs / 6);
  const ticks = Array.from({ length: Math.floor(totalMs / step) + 1 }, (_, at) => at * step);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">
<title>The trace of one message</title>
<rect width="${width}" height="${height}" fill="#ffffff"/>
<text x="12" y="22" font-size="14" font-weight="600" fill="#212529">Trace ${spans[0]!.traceId}</text>
${Object.entries({ 2: 'request to Parley', 1: 'work of Parley', 3: 'request of Parley to others' })
  .map(([kind, text], at) => {
    const left = 440 + at * 160;
    return `<rect x="${left}" y="12" width="10" height="10" fill="${colours[Number(kind)]}"/><text x="${left + 15}" y="21" fill="#495057">${text}</text>`;
  })
  .join('\n')}
${ticks
  .map(
    (ms) =>
      `<line x1="${x(ms).toFixed(1)}" y1="50" x2="${x(ms).toFixed(1)}" y2="${height - 8}" stroke="#e9ecef"/><text x="${x(ms).toFixed(1)}" y="46" text-anchor="middle" fill="#868e96">${ms} ms</text>`,
  )
  .join('\n')}
${rows
  .map(({ name, kind, startMs, endMs }, at) => {
    const y = top + at * rowHeight;
    const barWidth = Math.max(2, x(endMs) - x(startMs));
    return `<text x="12" y="${y + 13}" fill="#212529">${escaped(name)}</text><rect x="${x(startMs).toFixed(1)}" y="${y}" width="${barWidth.toFixed(1)}" height="16" rx="2" fill="${colours[kind] ?? colours[1]}"/><text x="${(x(startMs) + barWidth + 5).toFixed(1)}" y="${y + 12}" fill="#495057">${widthMs(endMs - startMs)}</text>`;
  })
  .join('\n')}
</svg>
`;
}

/** 1, 2 or 5 times a power of ten, at least so much. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least)!;
}
