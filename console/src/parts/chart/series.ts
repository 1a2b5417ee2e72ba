export interface Series {
  /** The field of the data. */
  name: string;
  /** What the legend says. */
  label?: string;
  /** Of Mantine: `brand.6`. */
  color: string;
}

export interface ChartProps {
  kind: 'bar' | 'line' | 'area';
  /** What it shows, for those who cannot see it; they get the data as a table. */
  label: string;
  data: Record<string, string | number>[];
  /** The field along the x axis. */
  x: string;
  series: Series[];
  stacked?: boolean;
  /** One more series, drawn as a dashed line over the others: what they are compared with. */
  overlay?: Series;
  height?: number;
}

/** The CSS colour of a colour of Mantine. */
export const cssColor = (color: string): string => `var(--mantine-color-${color.replace('.', '-')})`;
