export { directoryClient } from "./directory.ts";
export { paClient } from "./flow_client.ts";
export { isSignedByPlatform, type SignatureCheck, type SignedCall } from "./webhook_signature.ts";
