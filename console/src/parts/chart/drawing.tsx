import type { PointerEvent } from 'react';
import { sayFigure } from '../words.ts';
import classes from './chart.module.css';
import { labelStep, letterWidth, ticksOf } from './scale.ts';
import { type ChartProps, cssColor, type Series } from './series.ts';

interface DrawingProps extends ChartProps {
  width: number;
  height: number;
  hovered: number | null;
  onHover(index: number | null): void;
}

/** Where things are: the plot within the picture, and the height of a value. */
interface Plot {
  left: number;
  width: number;
  bottom: number;
  yOf(value: number): number;
}

const top = 8;
const below = 24;
const gap = 8;

/** The picture: gridlines with their figures, labels along the bottom, and bars, lines or areas. */
export function Drawing(props: DrawingProps) {
  const { kind, data, x, series, stacked = false, overlay, width, height, hovered, onHover } = props;
  const rows = data.map((row) => series.map(({ name }) => Number(row[name] ?? 0)));
  const over = overlay ? data.map((row) => Number(row[overlay.name] ?? 0)) : [];
  const most = Math.max(
    ...over,
    ...rows.map((values) => (stacked ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values))),
  );
  const ticks = ticksOf(most);
  const last = ticks.at(-1)!;
  const left = sayFigure(last).length * letterWidth + gap;
  const bottom = height - below;
  const plot: Plot = {
    left,
    width: width - left,
    bottom,
    yOf: (value) => bottom - (value / last) * (bottom - top),
  };
  const band = plot.width / data.length;
  const labels = data.map((row) => String(row[x]));
  const every = labelStep(labels, plot.width);
  const onMove = (event: PointerEvent<SVGSVGElement>) => {
    const at = Math.floor((event.nativeEvent.offsetX - left) / band);
    onHover(at >= 0 && at < data.length ? at : null);
  };
  return (
    <svg
      width={width}
      height={height}
      className={classes['drawing']}
      onPointerMove={onMove}
      onPointerLeave={() => onHover(null)}
    >
      <title>{kind}</title>
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={left} x2={width} y1={plot.yOf(tick)} y2={plot.yOf(tick)} data-zero={tick === 0 || undefined} />
          <text x={left - gap} y={plot.yOf(tick)} textAnchor="end" dominantBaseline="central">
            {sayFigure(tick)}
          </text>
        </g>
      ))}
      {hovered !== null && (
        <rect className={classes['hovered']} x={left + hovered * band} y={top} width={band} height={bottom - top} />
      )}
      {labels.map((label, index) => {
        const middle = withinPicture(left + (index + 0.5) * band, label, width);
        return (
          index % every === 0 && (
            // biome-ignore lint/suspicious/noArrayIndexKey: two points may have the same label
            <text key={index} x={middle} y={height - 6} textAnchor="middle">
              {label}
            </text>
          )
        );
      })}
      {kind === 'bar' ? (
        <Bars rows={rows} series={series} stacked={stacked} band={band} plot={plot} />
      ) : (
        <Lines rows={rows} series={series} stacked={stacked} filled={kind === 'area'} band={band} plot={plot} />
      )}
      {overlay && (
        <g className={classes['overlay']}>
          <Lines
            rows={over.map((value) => [value])}
            series={[overlay]}
            stacked={false}
            filled={false}
            dots={false}
            band={band}
            plot={plot}
          />
        </g>
      )}
    </svg>
  );
}

/** The middle of a label: where it should be, or as far as the edge of the picture allows. */
function withinPicture(middle: number, label: string, width: number): number {
  const half = (label.length * letterWidth) / 2;
  return Math.max(half, Math.min(middle, width - half));
}

interface MarksProps {
  rows: number[][];
  series: Series[];
  stacked: boolean;
  band: number;
  plot: Plot;
}

function Bars({ rows, series, stacked, band, plot }: MarksProps) {
  const inner = Math.min(band * 0.7, stacked ? 48 : 48 * series.length);
  const wide = stacked ? inner : inner / series.length;
  return rows.flatMap((values, index) => {
    const start = plot.left + (index + 0.5) * band - inner / 2;
    let base = 0;
    return values.map((value, which) => {
      const from = stacked ? base : 0;
      base += value;
      const y = plot.yOf(from + value);
      return (
        value > 0 && (
          <rect
            key={`${start} ${series[which]!.name}`}
            x={start + (stacked ? 0 : which * wide)}
            y={y}
            width={Math.max(1, wide - (stacked ? 0 : 1))}
            // Something is never drawn as nothing.
            height={Math.max(1, plot.yOf(from) - y)}
            rx={Math.min(2, wide / 4)}
            fill={cssColor(series[which]!.color)}
          />
        )
      );
    });
  });
}

function Lines({
  rows,
  series,
  stacked,
  filled,
  dots = true,
  band,
  plot,
}: MarksProps & { filled: boolean; dots?: boolean }) {
  const xOf = (index: number) => plot.left + (index + 0.5) * band;
  const below = rows.map(() => 0);
  return series.map(({ name, color }, which) => {
    const from = [...below];
    const to = rows.map((values, index) => (stacked ? from[index]! : 0) + values[which]!);
    if (stacked) below.splice(0, below.length, ...to);
    const upper = to.map((value, index) => `${xOf(index)},${plot.yOf(value)}`);
    const lower = from.map((value, index) => `${xOf(index)},${plot.yOf(value)}`).reverse();
    return (
      <g key={name} style={{ color: cssColor(color) }}>
        {filled && <polygon points={[...upper, ...lower].join(' ')} />}
        <polyline points={upper.join(' ')} />
        {dots &&
          rows.length < 40 &&
          to.map((value, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: points have a place and nothing else
            <circle key={index} cx={xOf(index)} cy={plot.yOf(value)} r={3} />
          ))}
      </g>
    );
  });
}
