// The bytes of short messages: GSM 7-bit, and parts with their headers.
export { decodeGsm7, encodeGsm7, fillBitsAfter, packSeptets, unpackSeptets } from './gsm7.ts';
export {
  type Concatenation,
  joinParts,
  mostParts,
  type OutboundPart,
  partsOf,
  type ReceivedPart,
  readPart,
} from './parts.ts';
