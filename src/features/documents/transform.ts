import type { InvoiceKey } from "#src/domain/invoice/key.ts";
import { namedProperties } from "#src/domain/template/read_property.ts";
import type { Template } from "#src/domain/template/template.ts";

/** Properties `param.<name>` are the stylesheet's parameters. */
export function paramsOf(template: Template): Record<string, string> {
  return namedProperties(template, "param.");
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
