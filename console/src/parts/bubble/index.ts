/** How messages look, on all pages but the phone simulator. */
export { Bubble } from './bubble.tsx';
export { Content } from './content.tsx';
export { contentView } from './content-view.ts';
export { GapLegend } from './gap.tsx';
export { type KnownName, KnownNames, useKnownNames } from './known-names.ts';
export { Line, Note, PhoneFrame, PhonePreview } from './phone-frame.tsx';
export { nodesOf, type Pieces } from './rich-text.tsx';
export { type Definition, exampleComponents, gapsIn, templateView } from './template-view.ts';
export type { View } from './view.ts';
