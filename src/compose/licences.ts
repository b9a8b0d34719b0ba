import { systemClock } from "#src/adapters/clock/system.ts";
import {
  issueLicence,
  type LicenceKey,
  licenceKeyPair,
  type LicenceOrder,
} from "#src/adapters/tokens/licence.ts";

export { type LicenceKey, licenceKeyPair };

/** A licence signed today, as `SERVICE_LICENSE_KEY` takes it. */
export function signLicence(order: LicenceOrder, key: LicenceKey): Promise<string> {
  return issueLicence(order, { key, now: systemClock.now() });
}
