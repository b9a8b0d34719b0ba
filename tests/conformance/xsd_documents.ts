import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseXml, type XmlElement } from "#src/xml/mod.ts";

type Random = () => number;

/** Plain values of the types that our schemas use. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  "xs:string": [
    "",
    "x",
    "Été à Évreux, n° 5 — 12 €",
    "a\nb\tc",
    "  two  blanks  ",
    "&amp; &lt; &#233;",
  ],
  "xs:normalizedString": ["", "A1", " a  b ", "line\nbreak", "é"],
  "xs:token": ["", "EUR", " a  b ", "a\n b", "ünï"],
  "xs:decimal": ["0", "-0", "12", "-12.50", "+3.0", "007.10", "123456789012345678.12"],
  "xs:date": [
    "2026-11-20",
    "2024-02-29",
    "0001-01-01",
    "9999-12-31",
    "2026-01-31Z",
    "2026-01-31+13:59",
  ],
  "xs:dateTime": [
    "2026-11-20T10:00:00",
    "2026-11-20T23:59:59.999999999Z",
    "2026-11-20T00:00:00-05:30",
  ],
  "xs:time": ["00:00:00", "23:59:59", "12:30:00.5", "12:30:00Z", "12:30:00-13:59"],
  "xs:boolean": ["true", "false", "0", "1"],
  "xs:language": ["fr", "en-GB", "x-a1b2c3d4"],
  "xs:anyURI": ["urn:a:b", "http://example.org/a/b?c=d&amp;e=f#g", "https://example.org"],
  "xs:base64Binary": ["", "QUJD", "QUI=", "QQ==", "QUJD\n  REVG", " Q U J D "],
};
/** Largest number of elements of a document: enough to include every type in a few documents, and quick to process. */
const MAX_ELEMENTS = 50;

interface Files {
  readonly prefixes: ReadonlyMap<string, string>;
  readonly main: XmlElement;
  readonly components: ReadonlyMap<
    string,
    { readonly element: XmlElement; readonly root: XmlElement }
  >;
}

/**
 * Generates random valid documents from the files of a schema, independently of the tested tables. Every element,
 * attribute and type occurs eventually.
 */
export function getDocuments(path: string): (random: Random) => string {
  const files = readFiles(path);
  const [root] = files.main.elements().filter((it) => it.local === "element");
  if (root === undefined) throw new Error(`${path} declares no element`);
  return (random) => {
    const prefixes = random() < 0.8 ? files.prefixes : new Map<string, string>();
    const writer = { random, files, prefixes, left: MAX_ELEMENTS };
    return write(writer, root, { root: files.main, depth: 0 });
  };
}

interface Writer {
  readonly random: Random;
  readonly files: Files;
  /** Prefixes by namespace; without a prefix, each element declares the namespace itself. */
  readonly prefixes: ReadonlyMap<string, string>;
  left: number;
}

interface At {
  readonly root: XmlElement;
  readonly depth: number;
}

function readFiles(path: string): Files {
  const roots = new Map<string, XmlElement>();
  const read = (file: string) => {
    if (roots.has(file)) return;
    const { root } = parseXml(readFileSync(file));
    roots.set(file, root);
    for (const it of root.elements()) {
      if (it.local === "import") read(join(dirname(path), it.attr("schemaLocation") ?? ""));
    }
  };
  read(path);
  const components = [...roots.values()].flatMap((root) =>
    root.elements().map((element) =>
      [`${element.local} {${root.attr("targetNamespace")}}${element.attr("name")}`, {
        element,
        root,
      }] as const
    )
  );
  const prefixes = new Map(
    [...roots.values()].map((root, at) => [root.attr("targetNamespace") ?? "", `p${at}`]),
  );
  return { main: roots.get(path) as XmlElement, components: new Map(components), prefixes };
}

function named(
  { files }: Writer,
  kind: string,
  { qname, root }: { qname: string; root: XmlElement },
) {
  const [prefix = "", local = ""] = qname.split(":");
  const ns = new Map(root.declarations).get(prefix);
  const found = files.components.get(`${kind} {${ns}}${local}`);
  if (found === undefined) throw new Error(`${qname} is not declared`);
  return found;
}

function write(writer: Writer, given: XmlElement, at: At): string {
  const ref = given.attr("ref");
  const { element, root } = ref === undefined
    ? { element: given, root: at.root }
    : named(writer, "element", { qname: ref, root: at.root });
  writer.left--;
  const name = element.attr("name") ?? "";
  const ns = root.attr("targetNamespace") ?? "";
  const type = element.attr("type") ?? "";
  const { attributes, content } = type.startsWith("xs:")
    ? { attributes: "", content: getValue(writer, type) }
    : readContent(
      writer,
      type === ""
        ? { element: element.elements()[0] as XmlElement, root }
        : named(writer, "complexType", { qname: type, root }),
      at.depth,
    );
  const prefix = writer.prefixes.get(ns);
  if (prefix === undefined) return `<${name} xmlns="${ns}"${attributes}>${content}</${name}>`;
  const declared = at.depth > 0
    ? ""
    : [...writer.prefixes].map(([uri, it]) => ` xmlns:${it}="${uri}"`).join("");
  return `<${prefix}:${name}${declared}${attributes}>${content}</${prefix}:${name}>`;
}

function getValue({ random }: Writer, type: string): string {
  return pick(random, VALUES[type] ?? [`no value of ${type}`]);
}

function readContent(
  writer: Writer,
  { element, root }: { element: XmlElement; root: XmlElement },
  depth: number,
): { attributes: string; content: string } {
  const { random } = writer;
  const [particle] = element.elements();
  if (particle === undefined) return { attributes: "", content: "" };
  if (particle.local === "simpleContent") {
    const [extension] = particle.elements();
    const attributes = (extension?.elements() ?? []).filter((it) =>
      it.attr("use") === "required" || random() < 0.3
    )
      .map((it) =>
        ` ${it.attr("name")}="${
          it.attr("fixed") ??
            (it.attr("type") === undefined ? "C62" : getValue(writer, it.attr("type") ?? ""))
        }"`
      );
    return {
      attributes: attributes.join(""),
      content: getValue(writer, extension?.attr("base") ?? ""),
    };
  }
  if (element.attr("mixed") === "true") {
    return { attributes: "", content: `x<a xmlns="urn:other" b="c">y</a>` };
  }
  const slots = particle.local === "choice"
    ? [pick(random, particle.elements())]
    : particle.elements();
  const gap = pick(random, ["", "", "\n  ", " \t", "<!-- between -->"]);
  const content = slots.flatMap((slot) => {
    const most = slot.attr("maxOccurs") === "unbounded" && random() < 0.3 ? 2 : 1;
    const wanted = slot.attr("minOccurs") !== "0" ||
      (random() < 0.25 && writer.left > 0 && depth < 12);
    return wanted
      ? Array.from({ length: most }, () => write(writer, slot, { root, depth: depth + 1 }))
      : [];
  });
  return { attributes: "", content: gap + content.join(gap) + gap };
}

function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T;
}
