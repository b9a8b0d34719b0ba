export { type EvidenceVerdict, verifyEvidence } from "./manifest.ts";
export { type EvidenceKind, type Fact, recordEvidence } from "./record_evidence.ts";
