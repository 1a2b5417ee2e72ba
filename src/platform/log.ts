import { type DestinationStream, type Logger, pino } from 'pino';
import { requestFields } from './observe/context.ts';

export type Log = Logger;

/** Fields that must never reach a log line, wherever they stand one or two levels deep. */
const secret = ['authorization', 'password', 'token', 'secret', 'access_token', 'app_secret'];

export interface LogOptions {
  level: string;
  /** For a person at a terminal; otherwise each line is a JSON object. */
  pretty: boolean;
  base?: object;
  /** Left out: standard output. */
  to?: DestinationStream;
}

/**
 * An error without what a database quotes of the values that it refused: a row that fails, a key that is there already, the line of a JSON
 * text. Those hold what people said.
 */
function withoutValues(error: Error): unknown {
  const shown = pino.stdSerializers.err(error);
  if (typeof shown !== 'object' || !('severity' in shown)) return shown;
  const { detail: _detail, where, ...rest } = shown as typeof shown & { detail?: unknown; where?: unknown };
  return { ...rest, ...(typeof where === 'string' && where.startsWith('PL/pgSQL') && { where }) };
}

/** Lines name their level, and the request that they belong to, if they belong to one. */
export function makeLog({ level, pretty, base, to }: LogOptions): Log {
  const options = {
    level,
    base: base ?? null,
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: requestFields,
    serializers: { err: withoutValues },
    redact: { paths: secret.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]), censor: '[secret]' },
    ...(pretty
      ? {
          transport: {
            target: 'pino-pretty',
            options: { translateTime: 'HH:MM:ss', ignore: 'pid,hostname', singleLine: true },
          },
        }
      : { formatters: { level: (label: string) => ({ level: label }) } }),
  };
  return to ? pino(options, to) : pino(options);
}
