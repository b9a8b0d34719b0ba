export { backup, restore } from "./backup.ts";
export { downgrade, type Loss, schemaLack, sentenceOfLoss } from "./change_schema.ts";
export { type Copied, install } from "./install.ts";
export { InstallBody } from "./schemas.ts";
export { claimInstallation, markStarted } from "./store.ts";
export { isSendingOff, switchSending } from "./sending_switch.ts";
export { makeSetupToken, setupActor } from "./setup_token.ts";
