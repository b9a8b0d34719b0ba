import type { Text } from "#src/kernel/sentences/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { sirenOf } from "#src/domain/ubl/mod.ts";
import type { Finding } from "#src/domain/validation/finding.ts";
import type { Preflight } from "#src/features/directory/mod.ts";
import { findInvoiceXml, replaceFinding } from "#src/features/invoices/mod.ts";
import { readContent } from "#src/features/validation/mod.ts";
import { encodeXml } from "#src/xml/mod.ts";
import type { Payload } from "./payload.ts";

type Needs = Pick<Deps, "db" | "log" | "rules"> & { readonly preflight: Preflight };

const SOURCE = "directory";

/**
 * Asks the directory, before a sending's first attempt, whether the buyer can receive it, and keeps a `no` as a finding of
 * the invoice. Resolves to that sentence where the template's `preflight` is `block`: then nothing is sent.
 */
export async function preflight(
  needs: Needs,
  { begun: { invoiceId, generation }, payload }: {
    begun: { readonly invoiceId: number; readonly generation: number };
    payload: Payload;
  },
): Promise<Text | undefined> {
  const mode = payload.preflight;
  const siren = mode === "off" ? undefined : await sirenOfBuyer(needs, invoiceId, payload);
  if (siren === undefined) return undefined;
  const answer = await needs.preflight.routability(siren);
  if (answer.kind === "unasked") return undefined;
  const finding = answer.kind === "unroutable" ? findingOf(answer, siren, mode) : undefined;
  if (finding) needs.log.info("preflight.unroutable", { invoice: invoiceId, siren, mode });
  if (finding || generation > 1) {
    await replaceFinding(needs.db, { invoiceId, source: SOURCE, finding });
  }
  return finding && mode === "block" ? { en: finding.messageEn, fr: finding.messageFr } : undefined;
}

/** As recorded, else from the invoice's own XML, which of a Factur-X is not what is sent. */
async function sirenOfBuyer(
  needs: Pick<Deps, "db" | "rules">,
  invoiceId: number,
  { customerRef }: Payload,
): Promise<string | undefined> {
  const recorded = customerRef?.replaceAll(/\s/g, "") ?? "";
  if (/^\d{9}$/.test(recorded)) return recorded;
  const document = await findInvoiceXml(needs.db, invoiceId);
  const { invoice } = await readContent(needs, encodeXml(document?.content ?? ""));
  const siren = invoice && sirenOf(invoice.buyer);
  return siren && /^\d{9}$/.test(siren) ? siren : undefined;
}

function findingOf(
  { messageFr, messageEn }: { messageFr: string; messageEn: string },
  siren: string,
  mode: string,
): Finding {
  return {
    level: mode === "block" ? "ERROR" : "WARNING",
    source: SOURCE,
    rule: "DIR-UNROUTABLE",
    messageFr,
    messageEn,
    businessTerm: "BT-47",
    location: "",
    line: 0,
    column: 0,
    value: siren,
  };
}
