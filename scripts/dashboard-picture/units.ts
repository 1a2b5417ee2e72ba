/** Values as Grafana writes them, and steps of an axis that look round in the unit. */
export interface Unit {
  format(value: number): string;
  /** A round number that is at least so much. */
  step(least: number): number;
}

const short = (value: number): string => {
  if (value !== 0 && Math.abs(value) < 0.01) return value.toPrecision(1);
  return value >= 1000 ? `${trim(value / 1000, 2)} K` : trim(value, value < 1 ? 3 : 2);
};

const units: Record<string, Unit> = {
  none: { format: short, step: decimal },
  ops: { format: (value) => `${short(value)} ops/s`, step: decimal },
  reqps: { format: (value) => `${short(value)} req/s`, step: decimal },
  percentunit: { format: (value) => `${trim(value * 100, 2)}%`, step: decimal },
  s: { format: seconds, step: decimal },
  bytes: { format: bytes, step: binary },
};

export function unitOf(name: string): Unit {
  const unit = units[name];
  if (!unit) throw new Error(`The unit ${name} is not known here.`);
  return unit;
}

function seconds(value: number): string {
  if (value === 0) return '0 s';
  if (value < 0.001) return `${trim(value * 1e6, 0)} µs`;
  if (value < 1) return `${trim(value * 1000, value < 0.01 ? 1 : 0)} ms`;
  return value < 120 ? `${trim(value, 2)} s` : `${trim(value / 60, 1)} min`;
}

function bytes(value: number): string {
  const names = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = value < 1 ? 0 : Math.min(names.length - 1, Math.floor(Math.log2(value) / 10));
  return `${trim(value / 1024 ** power, 1)} ${names[power]}`;
}

/** 1, 2 or 5 times a power of ten. */
function decimal(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least * 0.999)!;
}

function binary(least: number): number {
  return 2 ** Math.ceil(Math.log2(least));
}

function trim(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)));
}
