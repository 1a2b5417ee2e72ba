export type { Abandoned } from './claims.ts';
export { type Failed, failedTask, tellFailures } from './failures.ts';
export { answersOf, handOver } from './hand-over.ts';
export type { Ended } from './launch.ts';
export { makeOutbox } from './make.ts';
export {
  describe,
  interrupted,
  meaningOf,
  optedOutCode,
  optedOutDescription,
  type Postponement,
  type Refusal,
} from './meaning.ts';
export { keyOf, type Move, type Standing, type StatusChange, talliesOf, tallyOf, weigh } from './moves.ts';
export { type FirstLater, firstLaterText, isReadyText } from './ready.ts';
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
export { endedColumns } from './table.ts';
