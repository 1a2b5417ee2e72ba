export type { Abandoned } from './claims.ts';
export {
  answersOf,
  describe,
  handOver,
  interrupted,
  meaningOf,
  optedOutCode,
  optedOutDescription,
  type Postponement,
  type Refusal,
} from './hand-over.ts';
export type { Ended } from './launch.ts';
export {
  type Failed,
  failedTask,
  keyOf,
  type Move,
  type Standing,
  type StatusChange,
  talliesOf,
  tallyOf,
  tellFailures,
  weigh,
} from './moves.ts';
export { endedColumns, makeOutbox } from './outbox.ts';
export { type FirstLater, firstLaterText, isReadyText } from './ready.ts';
export type { NotLeft } from './reclaim.ts';
export { type Resending, ResendResult, resendMany } from './resend.ts';
export {
  isWaiting,
  laterText,
  leavingText,
  type OutboundStatus,
  priorities,
  queuedText,
  readyText,
  recentText,
  waitingOf,
  waitingText,
} from './statuses.ts';
