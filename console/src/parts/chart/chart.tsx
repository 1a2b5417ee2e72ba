import { Text, VisuallyHidden } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useState } from 'react';
import { sayFigure } from '../words.ts';
import classes from './chart.module.css';
import { Drawing } from './drawing.tsx';
import { type ChartProps, cssColor, type Series } from './series.ts';

/**
 * A chart.
 * `<Chart kind="bar" label="Messages by hour" data={hours} x="hour" series={[{ name: 'sent', color: 'brand.6' }]} stacked />`
 */
export function Chart(props: ChartProps) {
  const { label, data, overlay, x, height = 240 } = props;
  const series = overlay ? [...props.series, overlay] : props.series;
  const { ref, width } = useElementSize();
  const [hovered, setHovered] = useState<number | null>(null);
  if (data.length === 0) return <Text c="dimmed">Nothing to show for this period.</Text>;
  return (
    <figure className={classes['figure']} aria-label={label}>
      <div aria-hidden>
        {series.length > 1 && <Legend series={series} />}
        <div ref={ref} className={classes['canvas']} style={{ height }}>
          {width > 0 && <Drawing {...props} width={width} height={height} hovered={hovered} onHover={setHovered} />}
          {hovered !== null && data[hovered] && (
            <Values row={data[hovered]} x={x} series={series} share={(hovered + 0.5) / data.length} />
          )}
        </div>
      </div>
      <VisuallyHidden>
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">{x}</th>
              {series.map((one) => (
                <th key={one.name} scope="col">
                  {one.label ?? one.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two points may have the same label
              <tr key={index}>
                <th scope="row">{row[x]}</th>
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

const Legend = ({ series }: { series: Series[] }) => (
  <div className={classes['legend']}>
    {series.map(({ name, label, color }) => (
      <span key={name}>
        <i style={{ background: cssColor(color) }} /> {label ?? name}
      </span>
    ))}
  </div>
);

interface ValuesProps {
  row: Record<string, string | number>;
  x: string;
  series: Series[];
  /** How far to the right it is, from 0 to 1. */
  share: number;
}

/** The figures of what the pointer is over. */
const Values = ({ row, x, series, share }: ValuesProps) => (
  <div
    className={classes['values']}
    style={share < 0.5 ? { left: `${share * 100}%` } : { right: `${(1 - share) * 100}%` }}
  >
    <strong>{row[x]}</strong>
    {series.map(({ name, label, color }) => (
      <span key={name}>
        <i style={{ background: cssColor(color) }} /> {label ?? name} <b>{sayFigure(Number(row[name] ?? 0))}</b>
      </span>
    ))}
  </div>
);
