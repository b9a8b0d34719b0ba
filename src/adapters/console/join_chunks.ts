import { build, type Metafile, type OutputFile } from "esbuild";
import { basename, extname } from "node:path";
import { computeSha256 } from "#src/kernel/sha256.ts";

/** Built scripts: the first one, which the page loads, and the parts that it loads later. */
export interface JoinedScripts {
  readonly first: string;
  readonly files: readonly { readonly name: string; readonly contents: Uint8Array }[];
}

interface Built {
  readonly outputFiles: readonly OutputFile[];
  readonly metafile: Metafile;
}

/**
 * Joins the script of the page with all chunks that it imports. The bundler makes a chunk for each set of pages that
 * share code, so the first page alone would need dozens of requests. Later parts import from the joined script.
 */
export async function joinChunks(
  { outputFiles, metafile }: Built,
  { entry, target }: { readonly entry: string; readonly target: readonly string[] },
): Promise<JoinedScripts> {
  const outputs = new Map(
    Object.entries(metafile.outputs).map(([path, it]) => [basename(path), it]),
  );
  const texts = new Map(outputFiles.map((it) => [basename(it.path), it.text]));
  const [main = ""] = [...outputs].filter(([, it]) => it.entryPoint === entry).map(([it]) => it);
  const joined = findImports(main, outputs);
  const version = computeSha256([...texts].flat().join("\0")).slice(0, 8);
  const first = `console-${version}.js`;
  const later = [...texts.keys()].filter((it) => !joined.includes(it));
  const rename = (text: string) =>
    text.replace(
      /"\.\/(part-\w+\.js)"/g,
      (whole, name: string) => later.includes(name) ? `"./${addVersion(name, version)}"` : whole,
    );
  const exported = joined.map((name, at) => {
    const names = outputs.get(name)?.exports ?? [];
    return `export { ${
      names.map((it) => `${it} as ${exportName(at, it)}`).join(", ")
    } } from "./${name}";`;
  });
  const contents = `import "./${main}";\n${exported.join("\n")}`;
  const script = await bundleChunks(contents, {
    read: (name) => joined.includes(name) ? rename(texts.get(name) ?? "") : undefined,
    target,
  });
  const parts = outputFiles.filter((it) => !joined.includes(basename(it.path))).map((it) => {
    const name = basename(it.path);
    if (extname(name) !== ".js") return { name, contents: it.contents };
    const text = importFrom(first, rename(it.text), joined);
    return { name: addVersion(name, version), contents: new TextEncoder().encode(text) };
  });
  return { first, files: [{ name: first, contents: script }, ...parts] };
}

/** Bundles a script with the chunks that `read` knows. Other chunks stay imports. */
async function bundleChunks(
  contents: string,
  { read, target }: {
    readonly read: (name: string) => string | undefined;
    readonly target: readonly string[];
  },
): Promise<Uint8Array> {
  const { outputFiles: [script] } = await build({
    stdin: { contents, resolveDir: "/" },
    plugins: [{
      name: "chunks in memory",
      setup({ onResolve, onLoad }) {
        onResolve({ filter: /^\.\// }, ({ path, kind }) => {
          const name = basename(path);
          const isInside = read(name) !== undefined && kind !== "dynamic-import";
          return isInside ? { path: name, namespace: "chunk" } : { path, external: true };
        });
        onLoad({ filter: /.*/, namespace: "chunk" }, ({ path }) => ({
          contents: read(path) ?? "",
          loader: "js",
        }));
      },
    }],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: [...target],
    legalComments: "none",
    logLevel: "silent",
    tsconfigRaw: {},
  });
  if (script === undefined) throw new Error("The scripts of the console cannot be joined");
  return script.contents;
}

/** Returns a chunk and whatever it imports at once, however deep. */
function findImports(
  name: string,
  outputs: ReadonlyMap<string, Metafile["outputs"][string]>,
): string[] {
  const found = new Set([name]);
  for (const it of found) {
    for (const { path, kind } of outputs.get(it)?.imports ?? []) {
      if (kind === "import-statement") found.add(basename(path));
    }
  }
  return [...found];
}

/** Names of parts change with every build, since each part names the first script. */
function addVersion(name: string, version: string): string {
  return name.replace("part-", `part-${version}-`);
}

function exportName(chunk: number, name: string): string {
  return `c${chunk}_${name}`;
}

/** Replaces imports from joined chunks, as esbuild writes them, by imports from the first script. */
function importFrom(first: string, text: string, joined: readonly string[]): string {
  const rewritten = text.replace(
    /\bimport(?:\{([^}]*)\}from)?"\.\/([\w-]+\.js)"/g,
    (whole, names: string | undefined, chunk: string) => {
      const at = joined.indexOf(chunk);
      if (at < 0) return whole;
      const taken = names?.split(",").filter(Boolean).map((it) => {
        const [name = "", local = name] = it.split(" as ");
        return `${exportName(at, name)} as ${local}`;
      });
      return taken ? `import{${taken.join(",")}}from"./${first}"` : `import"./${first}"`;
    },
  );
  const left = joined.find((it) => rewritten.includes(`"./${it}"`));
  if (left !== undefined) throw new Error(`A part of the console imports ${left} in another form`);
  return rewritten;
}
