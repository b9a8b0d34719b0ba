export { readChecklist } from "./checklist.ts";
export { Checklist } from "./schemas.ts";
