/** Writes `../extended-ctc-fr-ubl.sch`: `deno run -R -W xsl/rules/extended-ctc-fr-ubl-1.4.0.04/build/main.ts`. */

import { buildEntry } from "../../extended-ctc-fr-ubl/build/main.ts";

/**
 * Returns the rules of 1.4.0.03 under the new version: the notes of the publication name no change on UBL.
 */
export function build(): Map<string, string> {
  return new Map([["extended-ctc-fr-ubl.sch", buildEntry("1.4.0.04")]]);
}

if (import.meta.main) {
  for (const [path, text] of build()) {
    await Deno.writeTextFile(new URL(`../${path}`, import.meta.url), text);
  }
}
