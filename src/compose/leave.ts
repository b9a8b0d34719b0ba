export { leave } from "#src/adapters/telemetry/leave.ts";
