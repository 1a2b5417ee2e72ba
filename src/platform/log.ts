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

/** Lines name their level, and the request that they belong to, if they belong to one. */
export function makeLog({ level, pretty, base, to }: LogOptions): Log {
  const options = {
    level,
    base: base ?? null,
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: requestFields,
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
