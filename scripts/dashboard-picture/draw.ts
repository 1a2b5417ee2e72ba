/** A dashboard as a picture: its panels at their places in Grafana's grid of 24 columns, with the series that their queries gave. */
import type { Panel, Range, Series } from './panels.ts';
import { unitOf } from './units.ts';

const [column, row, gap, top] = [60, 34, 4, 44];
const width = 24 * column;
/** Grafana's classic colours. */
const colours = [
  '#73bf69',
  '#f2cc0c',
  '#5794f2',
  '#ff780a',
  '#f2495c',
  '#b877d9',
  '#37872d',
  '#8ab8ff',
  '#e0b400',
  '#c4162a',
];
const colourAt = (at: number): string => colours[at % colours.length]!;
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const fixed = (value: number): string => String(Math.round(value * 10) / 10);

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

export function drawDashboard(title: string, panels: Panel[], range: Range): string {
  const height = top + Math.max(...panels.map(({ place }) => place.y + place.h)) * row + gap;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="Inter, system-ui, Helvetica, Arial, sans-serif" font-size="11">
<title>${escaped(title)}</title>
<rect width="${width}" height="${height}" fill="#f4f5f5"/>
<text x="12" y="28" font-size="17" font-weight="600" fill="#24292e">${escaped(title)}</text>
${panels.map((panel) => drawPanel(panel, range)).join('\n')}
</svg>
`;
}

function drawPanel(panel: Panel, range: Range): string {
  const { x, y, w, h } = panel.place;
  const box = {
    left: x * column + gap,
    top: top + y * row + gap,
    width: w * column - 2 * gap,
    height: h * row - 2 * gap,
  };
  const draw = panel.type === 'stat' ? drawStat : drawChart;
  const hasData = panel.series.some(({ points }) => points.length > 0);
  return `<g><rect x="${box.left}" y="${box.top}" width="${box.width}" height="${box.height}" rx="2" fill="#ffffff" stroke="#dce0e3"/>
<text x="${box.left + 10}" y="${box.top + 19}" font-size="12.5" font-weight="600" fill="#24292e">${escaped(panel.title)}</text>
${hasData ? draw(panel, box, range) : `<text x="${box.left + box.width / 2}" y="${box.top + box.height / 2 + 8}" text-anchor="middle" font-size="14" fill="#8e959b">No data</text>`}</g>`;
}

/** The last value of each series, large, above the course of the first. */
function drawStat({ unit, series }: Panel, box: Box, range: Range): string {
  const shown = series.filter(({ points }) => points.length > 0);
  const format = unitOf(unit).format;
  const area = { ...box, left: box.left + 1, width: box.width - 2, top: box.top + box.height - 34, height: 33 };
  const most = Math.max(...shown[0]!.points.map(([, value]) => value), 1e-9);
  const [x, y] = scales(area, range, most * 1.1);
  const line = shown[0]!.points.map(([at, value]) => `${fixed(x(at))},${fixed(y(value))}`).join(' ');
  const bottom = area.top + area.height;
  const end = `${fixed(x(shown[0]!.points.at(-1)![0]))},${bottom} ${fixed(x(shown[0]!.points[0]![0]))},${bottom}`;
  const texts = shown.map(({ label, points }, at) => {
    const middle = box.left + (box.width * (at + 0.5)) / shown.length;
    const name =
      shown.length > 1
        ? `<text x="${middle}" y="${box.top + 38}" text-anchor="middle" fill="#6a7178">${escaped(label)}</text>`
        : '';
    return `${name}<text x="${middle}" y="${box.top + 74}" text-anchor="middle" font-size="32" font-weight="600" fill="#37872d">${format(points.at(-1)![1])}</text>`;
  });
  return `<polygon points="${line} ${end}" fill="#73bf69" fill-opacity="0.18"/><polyline points="${line}" fill="none" stroke="#73bf69"/>${texts.join('')}`;
}

function drawChart(panel: Panel, box: Box, range: Range): string {
  const legend = legendRows(panel.series, box.width - 20);
  const area = {
    left: box.left + 62,
    top: box.top + 32,
    width: box.width - 76,
    height: box.height - 58 - legend.length * 17,
  };
  const lines = panel.isStacked ? stacked(panel.series) : panel.series;
  const { format, step } = unitOf(panel.unit);
  const most = Math.max(...lines.flatMap(({ points }) => points.map(([, value]) => value)), 0);
  const tick = step((most || 1) / 4);
  const limit = Math.max(1, Math.ceil((most * 1.02) / tick)) * tick;
  const [x, y] = scales(area, range, limit);
  const ticks = Array.from({ length: Math.round(limit / tick) + 1 }, (_, at) => at * tick);
  const axis = ticks.map(
    (value) =>
      `<line x1="${area.left}" y1="${fixed(y(value))}" x2="${area.left + area.width}" y2="${fixed(y(value))}" stroke="#eceef0"/><text x="${area.left - 7}" y="${fixed(y(value) + 4)}" text-anchor="end" fill="#6a7178">${format(value)}</text>`,
  );
  const bottom = area.top + area.height;
  const times = minutesOf(range).map(
    (at) =>
      `<line x1="${fixed(x(at))}" y1="${area.top}" x2="${fixed(x(at))}" y2="${bottom}" stroke="#eceef0"/><text x="${fixed(x(at))}" y="${bottom + 15}" text-anchor="middle" fill="#6a7178">${clock(at)}</text>`,
  );
  const curves = lines.map(({ points }, at) => drawCurve(points, colourAt(at), panel.fillOpacity, x, y, bottom));
  const names = legend.flatMap((entries, line) =>
    entries.map(({ label, left, at }) => {
      const height = bottom + 36 + line * 17;
      return `<rect x="${box.left + 10 + left}" y="${height - 5}" width="14" height="3" rx="1.5" fill="${colourAt(at)}"/><text x="${box.left + 29 + left}" y="${height}" fill="#3b4248">${escaped(label)}</text>`;
    }),
  );
  // Of a stack the highest is drawn first, so that each shows below it.
  return [...axis, ...times, ...(panel.isStacked ? curves.reverse() : curves), ...names].join('');
}

type Scale = (value: number) => number;

function drawCurve(
  points: Series['points'],
  colour: string,
  opacity: number,
  x: Scale,
  y: Scale,
  bottom: number,
): string {
  return pieces(points)
    .map((piece) => {
      const line = piece.map(([at, value]) => `${fixed(x(at))},${fixed(y(value))}`).join(' ');
      if (piece.length === 1)
        return `<circle cx="${fixed(x(piece[0]![0]))}" cy="${fixed(y(piece[0]![1]))}" r="1.5" fill="${colour}"/>`;
      const end = `${fixed(x(piece.at(-1)![0]))},${fixed(bottom)} ${fixed(x(piece[0]![0]))},${fixed(bottom)}`;
      return `<polygon points="${line} ${end}" fill="${colour}" fill-opacity="${opacity}"/><polyline points="${line}" fill="none" stroke="${colour}" stroke-width="1.4" stroke-linejoin="round"/>`;
    })
    .join('');
}

/** A line ends where values are missing. */
function pieces(points: Series['points']): Series['points'][] {
  const found: Series['points'][] = [];
  const usual = Math.min(...points.slice(1).map(([at], index) => at - points[index]![0]));
  for (const point of points) {
    const last = found.at(-1);
    if (last && point[0] - last.at(-1)![0] <= usual * 1.5) last.push(point);
    else found.push([point]);
  }
  return found;
}

/** Each series on top of those before it. */
function stacked(series: Series[]): Series[] {
  const sums = new Map<number, number>();
  return series.map(({ label, points }) => ({
    label,
    points: points.map(([at, value]) => {
      const sum = (sums.get(at) ?? 0) + value;
      sums.set(at, sum);
      return [at, sum];
    }),
  }));
}

function scales(
  { left, top: above, width: wide, height }: Box,
  { startS, endS }: Range,
  limit: number,
): [Scale, Scale] {
  return [
    (at) => left + ((at - startS) / (endS - startS)) * wide,
    (value) => above + height - (value / limit) * height,
  ];
}

/** Names beside each other as far as they fit, twelve lines at most. */
function legendRows(series: Series[], wide: number): { label: string; left: number; at: number }[][] {
  const rows: { label: string; left: number; at: number }[][] = [[]];
  let left = 0;
  series.forEach(({ label }, at) => {
    const needed = 34 + label.length * 5.9;
    if (left + needed > wide && left > 0) {
      rows.push([]);
      left = 0;
    }
    rows.at(-1)!.push({ label, left: Math.round(left), at });
    left += needed;
  });
  return rows;
}

/** Round times, six or so of them. */
function minutesOf({ startS, endS }: Range): number[] {
  const step = [15, 30, 60, 120, 300, 600, 1800, 3600].find((seconds) => (endS - startS) / seconds <= 7) ?? 7200;
  const first = Math.ceil(startS / step) * step;
  return Array.from({ length: Math.floor((endS - first) / step) + 1 }, (_, at) => first + at * step);
}

const clock = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(11, 19).replace(/:00$/, '');
