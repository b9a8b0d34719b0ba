import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import SaxonJS from "saxon-js";
import { createCompiler } from "#src/adapters/saxon/compiler.ts";
import { modulesInFolders } from "#src/adapters/saxon/modules.ts";
import type { SchemaModel } from "#src/schematron/mod.ts";
import { parseXml } from "#src/xml/mod.ts";
import { schematronToXslt } from "./schematron_to_xslt.ts";

const saxon = SaxonJS as unknown as {
  transform(options: Record<string, unknown>, mode: "sync"): { principalResult: string };
};

export interface ReferenceFinding {
  readonly rule: string;
  readonly fault: boolean;
  readonly message: string;
}

/**
 * Compiles a rule set with SaxonJS; running it throws if the whole transformation fails. `keep` caches the compiled
 * stylesheet in the folder for temporary files.
 */
export async function saxonSchema(
  model: SchemaModel,
  { keep = false } = {},
): Promise<{ run(document: string): ReferenceFinding[] }> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "passerelle-rules-")));
  const stylesheet = join(folder, "rules.xsl");
  writeFileSync(stylesheet, schematronToXslt(model));
  const environment = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]]
    ),
  );
  const compiler = createCompiler({
    modules: modulesInFolders([folder]),
    cacheDir: keep ? join(tmpdir(), "passerelle-rules-sef") : undefined,
    environment,
  });
  try {
    const { sef } = await compiler.compiled(stylesheet);
    const stylesheetInternal = JSON.parse(sef);
    return { run: (document) => runSaxon(stylesheetInternal, document) };
  } finally {
    compiler.close();
    rmSync(folder, { recursive: true });
  }
}

function runSaxon(stylesheetInternal: unknown, sourceText: string): ReferenceFinding[] {
  const { principalResult } = saxon.transform(
    { stylesheetInternal, sourceText, destination: "serialized" },
    "sync",
  );
  return parseXml(principalResult).root.elements().map((element) => ({
    rule: element.attr("rule") ?? "",
    fault: element.attr("fault") !== undefined,
    message: element.text.replace(/\s+/g, " ").trim(),
  }));
}
