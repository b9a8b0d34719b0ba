import { systemClock } from "#src/adapters/clock/system.ts";
import {
  createLicenseKeyPair,
  issueLicense,
  type LicenseKey,
  type LicenseOrder,
} from "#src/adapters/tokens/license.ts";

export { createLicenseKeyPair, type LicenseKey };

/** Signs a licence in the form that `SERVICE_LICENSE_KEY` accepts. */
export function signLicense(order: LicenseOrder, key: LicenseKey): Promise<string> {
  return issueLicense(order, { key, now: systemClock.now() });
}
