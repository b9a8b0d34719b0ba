export { computeDigest } from "./chain.ts";
export { verifyEvidence } from "./manifest.ts";
export { type EvidenceEntry, recordEvidence } from "./record_evidence.ts";
