import type { TSchema } from 'typebox';
import type { Deps } from '../../deps.ts';
import type { ByteSource } from '../../platform/csv/read.ts';
import type { FieldErrors } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/route.ts';
import type { Work } from './running/work.ts';

/** A type of job: what it takes, who may ask for it, and how it is done. Each has a file in `kinds/`. */
export interface Kind {
  /** `domain.verb` */
  type: string;
  /** What a token must be allowed to do, beside submitting jobs. */
  scope: Scope;
  /** It is asked for by an operation of its own, and not submitted like others. */
  isInternal?: boolean;
  /** The schema of `input`. */
  Input: TSchema;
  /** What is wrong with the input beyond that; undefined: nothing. */
  check?(deps: Deps, accountId: string, input: unknown): Promise<FieldErrors | undefined>;
  /** For a kind that takes uploads: fails with a CsvError when the header of a file will not do. */
  checkFile?(deps: Deps, accountId: string, file: ByteSource, input: unknown): Promise<void>;
  /** How many items there are; null: that is found out on the way. */
  totalOf(input: unknown): number | null;
  /** Does the job from where it stands. It may be called again after each step, by another process. `later`: and so it is, after a while. */
  run(work: Work): Promise<Verdict | 'later'>;
}

/** What comes after a step: the next one, or nothing, because the job was cancelled or others are to go on with it. */
export type Verdict = 'go' | 'stop';

/** The job cannot be done, and never will be. The message is for its owner. */
export class JobFailure extends Error {
  override name = 'JobFailure';
}
