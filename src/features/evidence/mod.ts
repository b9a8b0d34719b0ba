export { digestOf } from "./chain.ts";
export { verifyEvidence } from "./manifest.ts";
export { type Fact, recordEvidence } from "./record_evidence.ts";
