import type { InvoiceKey } from "#src/domain/invoice/key.ts";
import {
  companyProperty,
  documentProperty,
  namedProperties,
} from "#src/domain/template/read_property.ts";
import type { TreatmentChoice } from "#src/domain/treatment/mod.ts";
import type { Template } from "#src/domain/template/template.ts";

/**
 * The stylesheet's parameters: the properties `param.<name>`, `iban`, and the treatment that becomes the BAR note. The
 * template's account comes before the company's.
 */
export function buildParams(
  template: Template,
  { treatment, company }: {
    readonly treatment: TreatmentChoice | null | undefined;
    readonly company: Template | undefined;
  },
): Record<string, string> {
  const iban = documentProperty(template, "iban") ?? companyProperty(company, "iban");
  const chosen = treatment ?? documentProperty(template, "treatment");
  return {
    ...namedProperties(template, "param."),
    ...iban !== undefined && { iban },
    ...chosen && chosen !== "B2G" && { treatment: chosen }, // a BAR note has no word for B2G
  };
}

/** Takes the invoice key the stylesheet wrote as `<?passerelle-key doc="…" dct="…" kco="…"?>` out of its output. */
export function takeKey(output: string): { ubl: string; key: InvoiceKey | undefined } {
  const instruction = /<\?passerelle-key\s+([^?]*)\?>\s*/.exec(output.slice(0, 4096));
  if (!instruction) return { ubl: output, key: undefined };
  const value = (name: string) =>
    new RegExp(`\\b${name}="([^"]*)"`).exec(instruction[1] ?? "")?.[1]?.trim() ?? "";
  const key = { doc: value("doc"), dct: value("dct"), kco: value("kco") };
  const complete = key.doc && key.dct && key.kco;
  return { ubl: output.replace(instruction[0], ""), key: complete ? key : undefined };
}
