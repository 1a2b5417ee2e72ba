import { type Logger, pino } from 'pino';

export type Log = Logger;

/** Fields that must never reach a log line, wherever they stand one or two levels deep. */
const secret = ['authorization', 'password', 'token', 'secret', 'access_token', 'app_secret'];

export function makeLog(options: { level: string; pretty: boolean; base?: object }): Log {
  return pino({
    level: options.level,
    base: options.base ?? null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: secret.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]), censor: '[secret]' },
    ...(options.pretty && {
      transport: {
        target: 'pino-pretty',
        options: { translateTime: 'HH:MM:ss', ignore: 'pid,hostname', singleLine: true },
      },
    }),
  });
}
