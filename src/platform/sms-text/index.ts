// Texts as short messages: alphabets, and cutting. For server and console alike, so nothing here needs Node.
export { alphabet, countSeptets, escapeSeptet, extended, extension, septets } from './alphabet.ts';
export { type Segmented, type SegmentOptions, segmentText } from './segment.ts';
