export { findLanguages, type TemplateUse } from './resolve.ts';
export { LanguageCode, MessageTemplateComponents, TemplateComponents, TemplateName } from './schemas.ts';
