export { platformSettings } from "./platform_settings.ts";
export { showTemplate, showTemplates, useDocumentTemplate, useTemplate } from "./read_templates.ts";
export { needsToAct } from "./acting_needs.ts";
export {
  findOwnedTemplate,
  type OwnedTemplate,
  ownedTemplates,
  someEnabled,
  templatesOfType,
  versionOfType,
} from "./store.ts";
export { ruleSetsOf } from "./rule_sets.ts";
export { stylesheetOf } from "./template_paths.ts";
