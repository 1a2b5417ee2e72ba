export { decode } from './decode.ts';
export { encode } from './encode.ts';
export { BadLength, FieldError, MalformedPdu } from './errors.ts';
export {
  type Command,
  type Given,
  isResponse,
  type KnownPdu,
  makePdu,
  type Pdu,
  type PduOf,
  type RequestCommand,
  type RequestPdu,
  type ResponseTo,
  responseCommand,
  type UnknownPdu,
} from './pdu.ts';
export { longestPdu, makeSplitter, type Splitter } from './splitter.ts';
export { Status, statusName } from './status.ts';
export type { Tlvs } from './tlvs.ts';
