import { z } from "zod";
import { whole } from "./environment.ts";

/** Environment variables that limit request bodies. */
export const bodyVariables = {
  MAX_UPLOAD_MB: whole(1, 4096).default(512),
  BODIES_IN_FLIGHT_MB: whole(16, 65_536).default(128),
  BODY_STALL_SECONDS: z.coerce.number().min(0.1).max(600).default(10),
};

export function bodyConfig(e: z.infer<z.ZodObject<typeof bodyVariables>>) {
  return {
    /** Largest total size of the bodies that all calls of the process buffer, in bytes. */
    inFlightBytes: e.BODIES_IN_FLIGHT_MB * 1024 * 1024,
    /** Longest time without progress while a body is received, in milliseconds. */
    windowMs: e.BODY_STALL_SECONDS * 1000,
  };
}
