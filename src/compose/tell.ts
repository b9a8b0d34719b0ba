import process from "node:process";
import { systemClock } from "#src/adapters/clock/system.ts";
import type { Variables } from "#src/config/environment.ts";
import { languageOfLocale } from "#src/config/locale.ts";
import { type Sentence, translate } from "#src/kernel/i18n/sentence.ts";

/** Prints a sentence in a terminal, or a JSON line if another program reads the output. */
export function tell(event: string, sentence: Sentence, env: Variables): void {
  const says = translate(sentence, languageOfLocale(env));
  const line = { time: systemClock.now().toISOString(), level: "INFO", event, says };
  process.stdout.write(`${process.stdout.isTTY ? says : JSON.stringify(line)}\n`);
}
