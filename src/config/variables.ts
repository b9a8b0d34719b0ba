import { z } from "zod";
import { access, http, storage } from "./installation_variables.ts";
import { assistant, invoices, reach, telemetry, work } from "./work_variables.ts";

/** Variables by the heading under which the reference lists them. */
export const VARIABLE_GROUPS = {
  "HTTP": http,
  "Storage": storage,
  "Sign-in and secrets": access,
  "PA and invoices": invoices,
  "Outgoing connections": reach,
  "Assistant": assistant,
  "Work and limits": work,
  "Logs and telemetry": telemetry,
} as const;

/** Every environment variable the product reads, with its default. */
export const Environment = z.object({
  ...VARIABLE_GROUPS.HTTP,
  ...VARIABLE_GROUPS.Storage,
  ...VARIABLE_GROUPS["Sign-in and secrets"],
  ...VARIABLE_GROUPS["PA and invoices"],
  ...VARIABLE_GROUPS["Outgoing connections"],
  ...VARIABLE_GROUPS.Assistant,
  ...VARIABLE_GROUPS["Work and limits"],
  ...VARIABLE_GROUPS["Logs and telemetry"],
});

export type VariableValues = z.infer<typeof Environment>;
