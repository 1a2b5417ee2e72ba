export { templateEvents } from './events.ts';
export { fillComponents } from './fill/fill-components.ts';
export { fitErrors } from './fill/fit.ts';
export {
  LanguageCode,
  Location,
  MessageTemplateComponents,
  TemplateComponents,
  TemplateName,
} from './fill/message-components.ts';
export { findLanguages, type ResolvedTemplate, type TemplateUse } from './fill/resolve.ts';
export { moveTemplates } from './move.ts';
export { routes as templateRoutes } from './routes.ts';
export { applyTemplateEvents, type TemplateEvent } from './sync/events.ts';
export { tasks as templateTasks } from './tasks.ts';
