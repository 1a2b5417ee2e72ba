import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { Complaint } from './complaint.ts';

/**
 * A password from whoever is at the terminal, asked for twice and not shown; or the first line of standard input. Never an argument: other users of
 * the machine see those, and the shell keeps them.
 */
export async function readPassword(input: NodeJS.ReadStream = process.stdin): Promise<string> {
  if (!input.isTTY) return (await firstLine(input)) ?? refuse('Standard input has no password.');
  const [first, second] = [await ask(input, 'Password: '), await ask(input, 'Once more: ')];
  if (first !== second) refuse('The two are not the same.');
  return first;
}

const refuse = (sentence: string): never => {
  throw new Complaint(sentence, 2);
};

async function firstLine(input: NodeJS.ReadableStream): Promise<string | undefined> {
  for await (const line of createInterface({ input })) return line === '' ? undefined : line;
  return undefined;
}

function ask(input: NodeJS.ReadStream, question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input, output: nowhere, terminal: true });
  process.stderr.write(question);
  return new Promise((resolve, reject) => {
    let isAnswered = false;
    reader.once('line', (line) => {
      isAnswered = true;
      reader.close();
      resolve(line);
    });
    // Ctrl-C and Ctrl-D.
    reader.once('close', () => {
      process.stderr.write('\n');
      if (!isAnswered) reject(new Complaint('Nothing was done.', 2));
    });
  });
}
