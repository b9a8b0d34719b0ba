export { backup, restore, type Restored } from "./backup.ts";
export { type Downgrade, downgrade, type Loss, schemaLack, toldLoss } from "./change_schema.ts";
export { type Copied, install } from "./install.ts";
export { InstallBody } from "./schemas.ts";
export { claimInstallation, markStarted } from "./store.ts";
export { makeSetupToken, setupActor } from "./setup_token.ts";
