import { Buffer } from "node:buffer";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { create, type Font } from "fontkit";
import type { FaceName } from "#src/invoice_page/mod.ts";

/** A font parsed once and shared by all documents: only the glyphs used go into each file. */
export interface Face {
  /** Font source that pdf-lib uses when it embeds the face. */
  readonly source: { create(): Font };
  readonly data: Uint8Array;
  /** PostScript name with the tag that marks a subset (ISO 32000-1, 9.6.4). */
  readonly name: string;
  /** Advance of one character in thousandths of the size; undefined when the font lacks the character. */
  advance(codePoint: number): number | undefined;
}

/** The fonts of a page. */
export type Faces = Readonly<Record<FaceName, Face>>;

const FILES: Readonly<Record<FaceName, string>> = {
  regular: "dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf",
  bold: "dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf",
};

/** Reads and parses the fonts. */
export async function loadFaces(): Promise<Faces> {
  const [regular, bold] = await Promise.all([
    loadFace(FILES.regular, "PASSRA+DejaVuSansCondensed"),
    loadFace(FILES.bold, "PASSRB+DejaVuSansCondensed-Bold"),
  ]);
  return { regular, bold };
}

async function loadFace(file: string, name: string): Promise<Face> {
  const data = new Uint8Array(await readFile(createRequire(import.meta.url).resolve(file)));
  const read = create(Buffer.from(data));
  if (!("layout" in read)) throw new TypeError(`${file} is a collection of fonts`);
  const font = oneGlyphPerCharacter(read);
  const advances = new Map<number, number | undefined>();
  return {
    source: { create: () => font },
    data,
    name,
    advance(codePoint) {
      if (advances.has(codePoint)) return advances.get(codePoint);
      const advance = font.hasGlyphForCodePoint(codePoint)
        ? font.glyphForCodePoint(codePoint).advanceWidth * 1000 / font.unitsPerEm
        : undefined;
      advances.set(codePoint, advance);
      return advance;
    },
  };
}

/**
 * Returns the font without shaping: no ligatures, so that measured and printed widths agree and text copies as
 * written.
 */
function oneGlyphPerCharacter(font: Font): Font {
  const plain: Font = Object.create(font);
  plain.layout = (text: string) => ({
    glyphs: font.glyphsForString(text),
    positions: [],
    script: "latn",
    language: "",
    direction: "ltr",
    features: {},
    advanceWidth: 0,
    advanceHeight: 0,
    bbox: font.bbox,
  });
  return plain;
}
