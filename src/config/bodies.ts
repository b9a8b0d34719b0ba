import { z } from "zod";
import { whole } from "./environment.ts";

/** Environment variables of the bodies that requests bring. */
export const bodyVariables = {
  MAX_UPLOAD_MB: whole(1, 4096).default(512),
  BODIES_IN_FLIGHT_MB: whole(16, 65_536).default(128),
  BODY_STALL_SECONDS: z.coerce.number().min(0.1).max(600).default(10),
};

export function bodyConfig(e: z.infer<z.ZodObject<typeof bodyVariables>>) {
  return {
    /** Bytes of bodies held at one time by all calls of the process. */
    inFlightBytes: e.BODIES_IN_FLIGHT_MB * 1024 * 1024,
    /** The window within which a body must make progress. */
    windowMs: e.BODY_STALL_SECONDS * 1000,
  };
}
