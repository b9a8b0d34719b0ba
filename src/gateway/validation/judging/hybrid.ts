import type { Finding } from "#src/domain/validation/finding.ts";
import type { HybridInvoice } from "#src/ports/factur_x.ts";
import type { Declaration } from "./declaration.ts";

const EN16931 = "urn:cen.eu:en16931:2017";

/** The specification identifier (BT-24) each conformance level of Factur-X 1.0 and ZUGFeRD 2 stands for. */
const SPECIFICATIONS: ReadonlyMap<string, RegExp> = new Map([
  ["MINIMUM", /^urn:(factur-x|zugferd)\.[\w.:]*:minimum$/],
  ["BASIC WL", /^urn:(factur-x|zugferd)\.[\w.:]*:basicwl$/],
  [
    "BASIC",
    /^urn:cen\.eu:en16931:2017#(compliant|conformant)#urn:(factur-x|zugferd)\.[\w.:]*:basic$/,
  ],
  ["EN 16931", /^urn:cen\.eu:en16931:2017(#compliant#urn\.cpro\.gouv\.fr:1p0:en16931-ctc-fr)?$/],
  ["EXTENDED", /^urn:cen\.eu:en16931:2017#conformant#.*(:extended|extended-ctc-fr)$/],
  ["XRECHNUNG", /^urn:cen\.eu:en16931:2017#compliant#urn:.*xrechnung/i],
]);

/** Reports when the PDF declares another profile than its embedded invoice. */
export function profileFindings(
  hybrid: Pick<HybridInvoice, "name" | "profile"> | undefined,
  { customizationId }: Declaration,
): Finding[] {
  const profile = hybrid?.profile;
  if (hybrid === undefined || profile === undefined) return [];
  const level = profile.toUpperCase().replace(/^EN16931$|^COMFORT$/, "EN 16931")
    .replace(/^EXTENDED-CTC-FR$/, "EXTENDED");
  const expected = SPECIFICATIONS.get(level);
  if (expected?.test(customizationId)) return [];
  const said = customizationId === "" ? "—" : customizationId.slice(0, 200);
  return [{
    level: "WARNING",
    source: "Factur-X",
    rule: "FX-PROFILE",
    messageFr: expected
      ? `Le PDF annonce le profil ${profile}, sa facture ${hybrid.name} en déclare un autre : ${said}`
      : `Le PDF annonce un profil que Factur-X ne connaît pas : ${profile}`,
    messageEn: expected
      ? `The PDF announces the profile ${profile}, its invoice ${hybrid.name} declares another: ${said}`
      : `The PDF announces a profile Factur-X does not know: ${profile}`,
    businessTerm: "BT-24",
    location: "",
    line: 0,
    column: 0,
    value: said,
    ...(level === "EN 16931" ? { expected: EN16931 } : {}),
  }];
}
