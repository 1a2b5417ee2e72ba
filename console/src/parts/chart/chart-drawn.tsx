import '@mantine/charts/styles.css';
import { AreaChart, BarChart, DonutChart, LineChart } from '@mantine/charts';
import { Text, VisuallyHidden } from '@mantine/core';

export interface Series {
  /** The field of the data. */
  name: string;
  /** What the legend says. */
  label?: string;
  /** Of Mantine: `brand.6`. */
  color: string;
}

export interface ChartProps {
  kind: 'bar' | 'line' | 'area' | 'donut';
  /** What it shows, for those who cannot see it; they get the data as a table. */
  label: string;
  data: Record<string, string | number>[];
  /** The field along the x axis; of a donut, the name of a slice. */
  x: string;
  series: Series[];
  stacked?: boolean;
  height?: number;
}

/** Draws it. Use `Chart`, which loads this when it is needed. */
export default function ChartDrawn(props: ChartProps) {
  const { label, data, series } = props;
  if (data.length === 0) return <Text c="dimmed">Nothing to show for this time.</Text>;
  return (
    <figure style={{ margin: 0 }} aria-label={label}>
      <div aria-hidden>
        <Drawing {...props} />
      </div>
      <VisuallyHidden>
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">{props.x}</th>
              {series.map((one) => (
                <th key={one.name} scope="col">
                  {one.label ?? one.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.map((row) => (
              <tr key={String(row[props.x])}>
                <th scope="row">{row[props.x]}</th>
                {series.map((one) => (
                  <td key={one.name}>{row[one.name] ?? 0}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </figure>
  );
}

/** It is hidden from keyboards and screen readers, which have the table. */
const untouched = { accessibilityLayer: false };

function Drawing({ kind, data, x, series, stacked = false, height = 240 }: ChartProps) {
  const shared = { h: height, data, dataKey: x, series, withLegend: series.length > 1, tickLine: 'none' as const };
  switch (kind) {
    case 'bar':
      return <BarChart {...shared} type={stacked ? 'stacked' : 'default'} barChartProps={untouched} />;
    case 'line':
      return <LineChart {...shared} curveType="monotone" withDots={data.length < 40} lineChartProps={untouched} />;
    case 'area':
      return (
        <AreaChart
          {...shared}
          type={stacked ? 'stacked' : 'default'}
          curveType="monotone"
          withDots={false}
          areaChartProps={untouched}
        />
      );
    case 'donut': {
      const [one] = series;
      const colors = ['brand.6', 'blue.6', 'orange.6', 'red.6', 'grape.6', 'gray.6', 'yellow.6', 'cyan.6'];
      const slices = data.map((row, index) => ({
        name: String(row[x]),
        value: Number(row[one?.name ?? 'value'] ?? 0),
        color: String(row['color'] ?? colors[index % colors.length]),
      }));
      return (
        <DonutChart
          h={height}
          data={slices}
          withLabels
          withTooltip
          tooltipDataSource="segment"
          mx="auto"
          pieChartProps={untouched}
        />
      );
    }
  }
}
