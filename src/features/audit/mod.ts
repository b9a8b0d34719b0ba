export type { AuditEntry } from "./entry.ts";
export { recordAudit, verifyAudit } from "./record_audit.ts";
