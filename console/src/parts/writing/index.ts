/** How messages are written, wherever one is: in the composer, in intros, in campaigns. */
export { FileFields } from './file-fields.tsx';
export { fillText, namesIn } from './fill.ts';
export { InteractiveFields } from './interactive-fields.tsx';
export {
  blankInteractive,
  type InteractiveForm,
  interactiveFormOf,
  interactiveOf,
  interactivePath,
  isBlank,
  type Kind,
  kindNames,
  kindOfType,
} from './interactive-form.ts';
export { MediaSelect } from './media-select.tsx';
export { PlaceholderInput } from './placeholder-input.tsx';
export { TemplateBubble } from './template-bubble.tsx';
export {
  type ButtonKind,
  blankTemplate,
  componentsOf,
  type Definition,
  restOf,
  shapeFor,
  type TemplateForm,
  templateFormOf,
  templatePath,
} from './template-form.ts';
export { TemplateGaps } from './template-gaps.tsx';
export { acceptAll, type Media } from './upload.ts';
export { type Upload, useUploads } from './use-uploads.ts';
