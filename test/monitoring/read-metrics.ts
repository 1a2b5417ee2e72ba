import type { TestApp } from '../kit/app.ts';

/** What a server shows at `/metrics`. */
export interface Shown {
  text: string;
  /** By its name: its type. */
  types: Map<string, string>;
  /** The value of a series, as it is written: `name{label="value"}`. */
  value(series: string): number | undefined;
  labels: { name: string; value: string }[];
}

export async function readMetrics({ app }: Pick<TestApp, 'app'>): Promise<Shown> {
  const { body: text } = await app.inject('/metrics');
  return parseMetrics(text);
}

export function parseMetrics(text: string): Shown {
  const values = new Map<string, number>();
  for (const [, series, value] of text.matchAll(/^([a-z_]\w*(?:\{.*\})?) (\S+)$/gm)) values.set(series!, Number(value));
  return {
    text,
    types: new Map([...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => [name!, type!])),
    value: (series) => values.get(series),
    labels: [...values.keys()].flatMap((series) =>
      [...series.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => ({ name: name!, value: value! })),
    ),
  };
}
