import type { Figure } from './figures.ts';

const headings = ['row', 'what', 'figure', 'reference', 'ratio', 'p50 / p99 ms', 'target'];

/** The table that people read, and below it what helps to understand each figure. */
export function formatTable(figures: Figure[]): string {
  const lines = [headings, ...figures.map(cells)];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const aligned = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
  aligned.splice(1, 0, widths.map((width) => '─'.repeat(width)).join('  '));
  const notes = figures.flatMap(({ row, what, details }) =>
    details ? [`${row}, ${what}: ${Object.entries(details).map(formatDetail).join('; ')}`] : [],
  );
  return [...aligned, ...(notes.length > 0 ? ['', ...notes] : [])].join('\n');
}

const cells = (figure: Figure): string[] => [
  figure.row,
  figure.what,
  `${formatNumber(figure.figure)} ${figure.unit}`,
  figure.reference ? `${formatNumber(figure.reference.figure)} ${figure.unit} (${figure.reference.what})` : '',
  figure.ratio?.toFixed(2) ?? '',
  figure.p50Ms === undefined ? '' : `${formatNumber(figure.p50Ms)} / ${formatNumber(figure.p99Ms!)}`,
  figure.target ? `${figure.target}: ${figure.met ? 'met' : 'MISSED'}` : '',
];

const formatDetail = ([name, value]: [string, number | string]): string =>
  `${name} ${typeof value === 'number' ? formatNumber(value) : value}`;

/** Three significant digits, or whole numbers where that is more. */
const formatNumber = (value: number): string =>
  value.toLocaleString(
    'en-US',
    Math.abs(value) >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 },
  );
