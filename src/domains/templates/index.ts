export { fillComponents, fitErrors } from './fill/fill-components.ts';
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
export { tasks as templateTasks } from './sync/sync.ts';
export { templateEvents } from './tell.ts';
