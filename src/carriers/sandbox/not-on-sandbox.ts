import { ValidationError } from '../../platform/errors.ts';

/** Somebody wrote to, or called, a number that real people write to or call. */
export const notOnSandbox = () => new ValidationError({ to: ['This number is not on the sandbox.'] });
