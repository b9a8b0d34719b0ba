import { systemClock } from "#src/adapters/clock/system.ts";
import type { Config } from "#src/config/config.ts";
import { permissionSet } from "#src/domain/permission/permission_set.ts";
import { isSendingOff, switchSending } from "#src/platform/setup/mod.ts";
import { openBare } from "./schema.ts";

/** Operator who runs commands on this machine. */
const HERE = { username: "service-admin", roles: [], permissions: permissionSet(["*"]) };

/** Opens the switch that stops submissions to the PA, without the product. */
export async function openSendingSwitch(config: Config) {
  const database = await openBare(config);
  const { db } = database;
  return {
    isOff: () => isSendingOff({ db, settings: config }),
    turn: (isOff: boolean) => switchSending({ clock: systemClock, db }, { isOff, by: HERE }),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}
