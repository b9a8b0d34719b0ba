import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { compileSchema, loadSchema } from "#src/schematron/mod.ts";
import { parseXml, XmlError } from "#src/xml/mod.ts";

const HERE = import.meta.dirname ?? ".";
const SHARED = process.env.PASSERELLE_SHARED ?? join(HERE, "../../../shared");
const samples = globSync("samples/ubl/*.xml", { cwd: SHARED })
  .map((file) => readFileSync(join(SHARED, file), "utf8"));
const schemas = ["shapes", "values"].map((name) =>
  compileSchema(
    loadSchema(join(HERE, "schemas", `${name}.sch`), (file) => readFileSync(file, "utf8")),
  )
);

/** Validates a text; the only allowed exception is the refusal of the gate. */
function judge(text: string | Uint8Array): void {
  let doc;
  try {
    doc = parseXml(text);
  } catch (error) {
    assertEquals(error instanceof XmlError, true, String(error));
    return;
  }
  for (const schema of schemas) {
    const { ran, of } = schema.run(doc);
    assertEquals(ran <= of, true);
  }
}

const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const sample = fc.constantFrom(...samples);
const junk = fc.constantFrom(
  "",
  "<",
  "&",
  "]]>",
  "\u0000",
  "-",
  "9".repeat(40),
  "NaN",
  "<a>",
  "</",
  '"',
  "é",
  "\uD800",
);

Deno.test("truncated documents are refused or validated, without exceptions", () => {
  fc.assert(fc.property(sample, place, (text, at) => judge(text.slice(0, text.length * at))), {
    numRuns: 200,
  });
});

Deno.test("documents with junk in one place are refused or validated, without exceptions", () => {
  fc.assert(
    fc.property(sample, place, fc.nat(60), junk, (text, at, length, put) => {
      const from = Math.floor(text.length * at);
      judge(text.slice(0, from) + put + text.slice(from + length));
    }),
    { numRuns: 400 },
  );
});

Deno.test("documents with one value replaced are validated, without exceptions", () => {
  const value = fc.constantFrom(
    "",
    " ",
    "abc",
    "1e400",
    "-0",
    "12,5",
    "0".repeat(2000),
    "2025-02-30",
    "\u{1F600}",
  );
  fc.assert(
    fc.property(sample, place, value, (text, at, put) => {
      const values = [...text.matchAll(/>([^<>\s][^<>]*)</g)];
      const chosen = values[Math.floor(values.length * at)];
      if (chosen === undefined) return;
      const from = chosen.index + 1;
      judge(text.slice(0, from) + put + text.slice(from + (chosen[1] ?? "").length));
    }),
    { numRuns: 400 },
  );
});

Deno.test("documents with an element doubled or dropped are validated, without exceptions", () => {
  fc.assert(
    fc.property(sample, place, fc.boolean(), (text, at, twice) => {
      const elements = [...text.matchAll(/<(c[ab]c:\w+)[^>]*>[^<]*<\/\1>/g)];
      const chosen = elements[Math.floor(elements.length * at)];
      if (chosen === undefined) return;
      const [whole] = chosen;
      judge(
        text.slice(0, chosen.index) + (twice ? whole + whole : "") +
          text.slice(chosen.index + whole.length),
      );
    }),
    { numRuns: 300 },
  );
});

Deno.test("bytes that are no document are refused", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => judge(bytes)), {
    numRuns: 300,
  });
});
