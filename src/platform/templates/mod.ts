export { createFirstTemplates, createTemplate } from "./change_templates.ts";
export { type CompileSheets, createCompileSheets, type NotCompiled } from "./compile_sheets.ts";
export { paSettings, SANDBOX_NAME, SANDBOX_URL, sayPa } from "./pa_settings.ts";
export {
  findCompany,
  showNamed,
  showTemplate,
  useDocumentTemplate,
  useTemplate,
} from "./read_templates.ts";
export {
  findOwnedTemplate,
  type OwnedTemplate,
  ownedTemplates,
  someEnabled,
  templatesOfType,
  versionOfType,
} from "./store.ts";
export { readRuleSets } from "./rule_sets.ts";
export { renewTemplates } from "./renew_templates.ts";
export { asTemplatesName, resolveStylesheet } from "./template_paths.ts";
export { type TryDeps, tryTemplate } from "./try_template.ts";
export { unownedTemplates } from "./unowned.ts";
