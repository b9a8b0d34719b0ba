export * from "./http.ts";
export * from "./invoices.ts";
export * from "./live.ts";
export * from "./rules.ts";
export * from "./runs.ts";
export * from "./submissions.ts";
export * from "./tasks.ts";
export * from "./templates.ts";
