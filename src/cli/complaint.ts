/** Why a command could not be carried out, in words for the person at the terminal. */
export class Complaint extends Error {
  override name = 'Complaint';
  readonly exitCode: number;

  constructor(sentence: string, exitCode = 1) {
    super(sentence);
    this.exitCode = exitCode;
  }
}
