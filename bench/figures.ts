/** What a row found out: one line of the table. */
export interface Figure {
  row: string;
  what: string;
  figure: number;
  unit: string;
  /** What the figure is compared with, measured in the same run. */
  reference?: { what: string; figure: number };
  ratio?: number;
  p50Ms?: number;
  p99Ms?: number;
  /** In words; `met` says whether this run reached it. */
  target?: string;
  met?: boolean;
  /** More that helps to understand the figure. */
  details?: Record<string, number | string>;
}

/** How a row is run. Everything it starts is put on `scope`, which ends it in reverse order. */
export interface Run {
  scope: AsyncDisposableStack;
  /** Shorter and rougher: to see that everything works. */
  quick: boolean;
  progress(line: string): void;
}

export type Row = (run: Run) => Promise<Figure[]>;

/** The value below which the given part (0 to 1) of the values lie. */
export function quantile(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * part;
  const below = sorted[Math.floor(position)]!;
  const above = sorted[Math.ceil(position)]!;
  return below + (above - below) * (position % 1);
}

export const median = (values: number[]): number => quantile(values, 0.5);
