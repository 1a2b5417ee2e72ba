import type { Fields } from '../../api/index.ts';
import { Content, templateView } from '../bubble/index.ts';
import { componentsOf, type Definition, type TemplateForm } from './template-form.ts';

/** A template message as the phone shows it, while it is filled in. */
export const TemplateBubble = ({ value, definition }: { value: TemplateForm; definition: Definition | undefined }) => (
  <Content view={templateView(value.name, definition, componentsOf(value) as Fields[])} />
);
