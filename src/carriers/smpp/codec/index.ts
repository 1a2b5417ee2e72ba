export { BadLength, decode, longestPdu, MalformedPdu, makeSplitter, type Splitter } from './decode.ts';
export { encode } from './encode.ts';
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
export { Status, statusName } from './status.ts';
export type { Tlvs } from './tlvs.ts';
export { FieldError } from './tlvs.ts';
