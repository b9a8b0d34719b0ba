import type { Deps } from "#src/deps.ts";
import type { InvoiceKey } from "#src/domain/invoice/key.ts";
import type { Template } from "#src/domain/template/template.ts";
import { AppError } from "#src/kernel/errors.ts";

const APP_HOME = "%APP_HOME%";
const PARAM = "param.";

/** Where a template's stylesheet lies: the bundled ones under `%APP_HOME%`, a customer's own inside the data folder. */
export async function stylesheetOf(
  { storage, stylesheets }: Pick<Deps, "storage" | "stylesheets">,
  template: Template,
): Promise<string> {
  const given = template.properties["transform"]?.trim();
  if (!given) {
    throw new AppError(
      "refused",
      `Template ${template.name} names no stylesheet in its property transform`,
    );
  }
  if (!given.startsWith(APP_HOME)) return await storage.confine(given);
  const inside = given.slice(APP_HOME.length).replace(/^\/+/, "");
  if (
    !inside || inside.split("/").includes("..") || inside.includes(APP_HOME) ||
    /[\0\\]/.test(inside)
  ) {
    throw new AppError(
      "forbidden",
      `The stylesheet ${
        JSON.stringify(given)
      } of template ${template.name} is not inside ${APP_HOME}`,
    );
  }
  return `${stylesheets.home}/${inside}`;
}

/** Properties `param.<name>` are the stylesheet's parameters. */
export function paramsOf(template: Template): Record<string, string> {
  return Object.fromEntries(
    Object.entries(template.properties).filter(([name]) => name.startsWith(PARAM)).map((
      [name, value],
    ) => [name.slice(PARAM.length), value]),
  );
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
