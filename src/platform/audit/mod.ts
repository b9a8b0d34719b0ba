export type { AuditEntry } from "./entry.ts";
export { auditTrail, recordAudit, verifyAudit } from "./record_audit.ts";
