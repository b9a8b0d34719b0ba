import type { VariableValues } from "./variables.ts";

export function bodyConfig(e: VariableValues) {
  return {
    /** Largest total size of the bodies that all calls of the process buffer, in bytes. */
    inFlightBytes: e.BODIES_IN_FLIGHT_MB * 1024 * 1024,
    /** Longest time without progress while a body is received, in milliseconds. */
    windowMs: e.BODY_STALL_SECONDS * 1000,
  };
}
