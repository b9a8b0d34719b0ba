export { showTemplate, showTemplates, useDocumentTemplate, useTemplate } from "./read_templates.ts";
export { templatesOfType } from "./store.ts";
