import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Pa, PaSettings } from "#src/ports/pa.ts";
import { flowServiceClient } from "./flow_service/client.ts";
import { type PaOutbound, PUBLIC } from "./http.ts";

type OpenPa = (settings: PaSettings, reach: PaOutbound) => Pa;

/**
 * Clients by the property `protocol` of the template `e-invoicing`; the first is the default. A new protocol is a
 * folder next to this file, one line here and one line in `tests/contracts/pa_test.ts`.
 */
const PROTOCOLS: ReadonlyMap<string, OpenPa> = new Map([
  ["flow-service", flowServiceClient],
]);

/** Names of the protocols; the first is the default. */
export const PA_PROTOCOLS: readonly string[] = [...PROTOCOLS.keys()];

/** Opens a client for the protocol of the settings. Throws AppError `misconfigured` for an unknown protocol. */
export function paClient(settings: PaSettings, reach: PaOutbound = PUBLIC): Pa {
  const name = settings.protocol ?? PA_PROTOCOLS[0] ?? "";
  const open = PROTOCOLS.get(name);
  if (open) return open(settings, reach);
  throw new AppError("misconfigured", say`protocol: ${name} does not exist; use ${PA_PROTOCOLS}`);
}
