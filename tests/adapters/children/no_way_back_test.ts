import { assert, assertEquals } from "@std/assert";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname ?? ".", "../../..");
const sources = new Map(
  globSync("src/**/*.{ts,js}", { cwd: ROOT }).map((file) =>
    [file, readFileSync(join(ROOT, file), "utf8")] as const
  ),
);

/** Returns the values a module imports from the product, without types and common values. */
function valuesImported(text: string): string[] {
  const named = text.matchAll(/^import \{([^}]*)\} from "(#src\/|\.{1,2}\/)([^"]+)";/gm);
  return [...named].filter(([, , , path]) =>
    !/^(kernel|ports|adapters\/children)\//.test(path ?? "")
  )
    .flatMap(([, names = ""]) => names.split(",").map((it) => it.trim()))
    .filter((it) => it && !it.startsWith("type "));
}

/** Values that the programs of child processes import: the work they do. */
const work = new Set(
  [...sources].filter(([file, text]) => /^src\/processes\//.test(file) && /\bserve\(/.test(text))
    .flatMap(([, text]) => valuesImported(text)),
);

/** Returns the blocks and handlers that receive an error. */
function handlersIn(text: string): string[] {
  return [...text.matchAll(/\bcatch \(\w+\) \{|\.catch\(/g)].map(({ index, 0: head }) => {
    let depth = 1;
    let end = index + head.length;
    for (; depth > 0 && end < text.length; end++) {
      if ("({".includes(text.charAt(end))) depth++;
      if (")}".includes(text.charAt(end))) depth--;
    }
    return text.slice(index, end);
  });
}

Deno.test("a module that gives work to child processes cannot do that work itself", () => {
  assert(work.has("textsHere") && work.has("createInvoicePdf"), "the programs were found");
  const givers = [...sources].filter(([, text]) => /\bopenChildren\(/.test(text))
    .filter(([, text]) =>
      /import \{[^}]*openChildren[^}]*\} from "#src\/adapters\/children/.test(text)
    );
  assert(givers.length > 5, "the modules were found");
  const wrong = givers.flatMap(([file, text]) =>
    valuesImported(text).filter((it) => work.has(it)).map((it) => `${file} imports ${it}`)
  );
  assertEquals(wrong, []);
});

Deno.test("only adapters see how a child process ended, and no handler of its end does the work", () => {
  const seeing = [...sources].filter(([, text]) => /\bChildDied\b/.test(text)).map(([file]) =>
    file
  );
  assert(seeing.length > 5, "the modules were found");
  assertEquals(seeing.filter((it) => !/^src\/(adapters|ports)\//.test(it)), []);
  const wrong = [...sources].flatMap(([file, text]) =>
    handlersIn(text).filter((it) => /\b(ChildDied|LimitExceeded)\b/.test(it))
      .flatMap((handler) => [...work].filter((it) => new RegExp(`\\b${it}\\b`).test(handler)))
      .map((it) => `${file} does ${it} after a child process ended`)
  );
  assertEquals(wrong, []);
});

Deno.test("where both a child process and this one could read a text, its size alone decides", () => {
  const choosing = sources.get("src/compose/texts_by_size.ts") ?? "";
  assert(choosing.includes("beside") && choosing.includes("here"), "the module was found");
  assertEquals(/\bcatch\b|\.then\(|\btry\b/.test(choosing), false);
});
