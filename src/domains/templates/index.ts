export { applyTemplateEvents, type TemplateEvent } from './events.ts';
export { fillComponents } from './fill-components.ts';
export {
  LanguageCode,
  Location,
  MessageTemplateComponents,
  TemplateComponents,
  TemplateName,
} from './message-components.ts';
export { findLanguages, type ResolvedTemplate, type TemplateUse } from './resolve.ts';
export { routes as templateRoutes } from './routes.ts';
export { tasks as templateTasks } from './tasks.ts';
