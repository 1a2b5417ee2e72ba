/** A PDU that we were asked to send and that the protocol has no form for. Nothing of it was sent. */
export class FieldError extends Error {
  override name = 'FieldError';
  readonly field: string;

  constructor(field: string, reason: string) {
    super(`${field}: ${reason}`);
    this.field = field;
  }
}

/** A PDU of the right length whose inside makes no sense. The stream behind it is intact. */
export class MalformedPdu extends Error {
  override name = 'MalformedPdu';
  readonly commandId: number;
  readonly sequence: number;

  constructor(commandId: number, sequence: number, reason: string) {
    super(`Command 0x${commandId.toString(16).padStart(8, '0')}: ${reason}`);
    this.commandId = commandId;
    this.sequence = sequence;
  }
}

/** A length that cannot be: where the next PDU begins is unknown from here on. */
export class BadLength extends Error {
  override name = 'BadLength';
  readonly length: number;

  constructor(length: number) {
    super(`A PDU claims a length of ${length} octets.`);
    this.length = length;
  }
}
