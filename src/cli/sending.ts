import { openSendingSwitch } from "#src/compose/sending.ts";
import { loadConfig } from "#src/config/config.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { type Io, translate, usage } from "./io.ts";
import { refuseRunning } from "./product.ts";

/** Shows whether invoices are sent to the PA, or changes this for all processes of the installation. */
export async function runSendingCommand(
  [verb = "show", ...more]: readonly string[],
  io: Io,
): Promise<number> {
  if (more.length || !["show", "on", "off"].includes(verb)) {
    throw new AppError("invalid", usage("sending [on | off]"));
  }
  await refuseRunning(io);
  await using sending = await openSendingSwitch(loadConfig(io.env));
  if (verb !== "show") await sending.turn(verb === "off");
  const isOff = await sending.isOff();
  io.out(
    translate(io, isOff ? say`Sending is off: nothing leaves for the PA` : say`Sending is on`),
  );
  if (verb === "on" && isOff) {
    io.err(translate(io, say`SENDING=off is set here: remove it and start the processes again`));
  }
  return 0;
}
