/** A message that names something the platform does not know yet: it cannot be written down for the platform. */
export class Unsendable extends Error {
  override name = 'Unsendable';
  readonly code: string;

  constructor(code: string, description: string) {
    super(description);
    this.code = code;
  }
}
