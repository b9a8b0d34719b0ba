export { assemble, type Assembled } from "./assemble.ts";
export { applyBundle, exportSections, sectionsOf } from "./apply.ts";
export type { ChangeNeeds } from "./change_sections.ts";
export { checkSection } from "./check_section.ts";
export { followFolder } from "./follow_folder.ts";
export { lineOf } from "./problems.ts";
export { openConfiguration } from "./registry.ts";
