/** A reason why Parley cannot start, in one sentence for the person at the terminal. Printed alone, without a stack; exit code 1. */
export class StartError extends Error {
  override name = 'StartError';
}
