export { findLanguages, type TemplateUse } from './resolve.ts';
export { LanguageCode, Location, MessageTemplateComponents, TemplateComponents, TemplateName } from './schemas.ts';
