// Texts as short messages: alphabets, cutting, and the bytes of a part.
export { alphabet, escapeSeptet, extension } from './alphabet.ts';
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
export { type Segmented, type SegmentOptions, segmentText } from './segment.ts';
