import { statusName } from './codec/index.ts';

/** The connection ended before the answer came, or there was none. */
export class Closed extends Error {
  override name = 'Closed';
  /** false: it never left, and can be sent again. true: the other side may have taken it. */
  readonly sent: boolean;

  constructor(sent: boolean, reason: string) {
    super(reason);
    this.sent = sent;
  }
}

/** It was sent, and no answer came in time: the other side may have taken it. */
export class TimedOut extends Error {
  override name = 'TimedOut';
  readonly sent = true;

  constructor(command: string, timeoutMs: number) {
    super(`No answer to ${command} within ${timeoutMs} ms.`);
  }
}

/** It was sent, and what came back cannot be read as its answer: the other side may have taken it. */
export class BadAnswer extends Error {
  override name = 'BadAnswer';
  readonly sent = true;
}

/** Answered with a generic_nack: the other side did not know what to do with it, so it took nothing. */
export class Nacked extends Error {
  override name = 'Nacked';
  readonly status: number;

  constructor(command: string, status: number) {
    super(`${command} was answered with a generic_nack, ${statusName(status)}.`);
    this.status = status;
  }
}

export class BindRefused extends Error {
  override name = 'BindRefused';
  readonly status: number;

  constructor(status: number) {
    super(`The bind was refused with ${statusName(status)}.`);
    this.status = status;
  }
}
