// Texts as short messages: alphabets, cutting, and the bytes of a part.
export { alphabet, escapeSeptet, extension } from './alphabet.ts';
export { decodeGsm7, encodeGsm7 } from './gsm7.ts';
export { mostParts, type OutboundPart, partsOf } from './parts.ts';
export { type Concatenation, joinParts, type ReceivedPart, readPart } from './received.ts';
export { type Segmented, type SegmentOptions, segmentText } from './segment.ts';
export { fillBitsAfter, packSeptets, unpackSeptets } from './septets.ts';
