import type { Metafile, Plugin } from "esbuild";
import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";

const NAME = "@mantine/core";

/**
 * Lets sources import Mantine components from their own files instead of the package's index. Through the index,
 * components of later pages would load with the first page.
 */
export function componentsAlone(folder: string, sources: string): Plugin {
  return {
    name: "components alone",
    setup({ onLoad }) {
      const files = getFiles(folder);
      onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
        if (!path.startsWith(sources)) return undefined;
        const text = await readFile(path, "utf8");
        const contents = text.replace(IMPORT, (whole, names: string) => {
          const wanted = names.split(",").map((it) => it.trim()).filter((it) =>
            it !== "" && !it.startsWith("type ")
          );
          return wanted.every((it) => files.has(it))
            ? wanted.map((it) => `import { ${it} } from ${JSON.stringify(files.get(it))};`).join("")
            : whole;
        });
        return { contents, loader: path.endsWith("x") ? "tsx" : "ts" };
      });
    },
  };
}
const IMPORT = new RegExp(`^import \\{([^}]+)\\} from "${NAME}";`, "gm");

/** Maps each export of the package to the file that defines it. */
function getFiles(folder: string): ReadonlyMap<string, string> {
  const index = join(folder, "esm", "index.mjs");
  const lines = readFileSync(index, "utf8").matchAll(/^import \{([^}]+)\} from "([^"]+)";/gm);
  return new Map(
    [...lines].flatMap(([, names = "", path = ""]) =>
      names.split(",").map((it) => [it.trim(), join(folder, "esm", path)] as const)
    ),
  );
}

/** Mantine's styles, of the components that were built in: its sheets, one after the other in its own order. */
export function collectStyles({ outputs }: Metafile, folder: string): string {
  const all = readFileSync(join(folder, "styles.css"), "utf8");
  const used = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs))
    .filter((it) => it.includes(`${NAME}/`) && it.endsWith(".module.mjs"))
    .map((it) => basename(it, ".module.mjs"));
  const sheets = [...GLOBAL, ...new Set(used)].map((it) => join(folder, "styles", `${it}.css`))
    .filter((it) => existsSync(it))
    .map((it) => readFileSync(it, "utf8").trim())
    .toSorted((a, b) => all.indexOf(a) - all.indexOf(b));
  return sheets.map((it) => `${it}\n`).join("");
}

/**
 * Styles of `@mantine/dates`, of the components that were built in. The package has a single sheet: its rules
 * are chosen by their classes. `sources` is the folder to which the paths of the build are relative.
 */
export function collectDateStyles(
  { outputs }: Metafile,
  folder: string,
  sources: string,
): string {
  const classes = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs))
    .filter((it) => it.includes("@mantine/dates/") && it.endsWith(".module.mjs"))
    .flatMap((it) => readFileSync(join(sources, it), "utf8").match(/\bm_\w+/g) ?? []);
  const rules = readFileSync(join(folder, "styles.css"), "utf8").split(/\n(?=[.:])/);
  return rules.filter((rule) => classes.some((it) => rule.includes(it))).join("\n");
}

const GLOBAL = ["baseline", "default-css-variables", "global"];
