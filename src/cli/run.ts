import { CommanderError } from 'commander';
import { StartError } from '../platform/errors.ts';
import { makeProgram } from './program.ts';
import { Complaint } from './terminal.ts';

/** Carries out a command line and answers its exit code. What goes wrong is told in a sentence, not in a stack trace. */
export async function run(argv: string[], env: Record<string, string | undefined>): Promise<number> {
  let exitCode = 0;
  try {
    await makeProgram(env, (code) => (exitCode = code)).parseAsync(argv);
    return exitCode;
  } catch (error) {
    // It has said what it had to say; nothing was done.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const isExpected = error instanceof Complaint || error instanceof StartError;
    console.error(isExpected ? error.message : error);
    return error instanceof Complaint ? error.exitCode : 1;
  }
}
