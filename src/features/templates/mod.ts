export { paSettings } from "./pa_settings.ts";
export { showTemplate, useDocumentTemplate, useTemplate } from "./read_templates.ts";
export {
  findOwnedTemplate,
  type OwnedTemplate,
  ownedTemplates,
  someEnabled,
  templatesOfType,
  versionOfType,
} from "./store.ts";
export { ruleSetsOf } from "./rule_sets.ts";
export { renewTemplates } from "./renew_templates.ts";
export { asTemplatesName, stylesheetOf } from "./template_paths.ts";
export { unownedTemplates } from "./unowned.ts";
