import {
  beginText,
  endText,
  fill,
  lineTo,
  moveTo,
  type PDFDocument,
  type PDFFont,
  type PDFName,
  type PDFPage,
  rectangle,
  setFillingRgbColor,
  setFontAndSize,
  setLineWidth,
  setStrokingRgbColor,
  setTextMatrix,
  showText,
  stroke,
} from "@cantoo/pdf-lib";
import {
  type Box,
  type DrawingSurface,
  type FaceName,
  HAIRLINE,
  type LineOptions,
  PAGE,
  type RuleLine,
} from "#src/invoice_page/mod.ts";
import { delay } from "#src/kernel/delay.ts";
import type { Faces } from "./fonts.ts";
import {
  beginArtifact,
  beginContent,
  beginTag,
  createTags,
  endContent,
  endTag,
  type Tags,
  writeTags,
} from "./tags.ts";
import { computeWidth, fitLine, printable, wrap } from "./text.ts";

/** Milliseconds after which other work runs. */
const MAX_BREATH_MS = 15;

/** Maximum length of a line: a little more than fits in the smallest size. */
const MAX_LINE_LENGTH = 1_000;

/** One page with the names its fonts go by. */
interface Leaf {
  readonly page: PDFPage;
  readonly fontKeys: Readonly<Record<FaceName, PDFName>>;
}

interface Paper {
  readonly document: PDFDocument;
  readonly faces: Faces;
  readonly fonts: Readonly<Record<FaceName, PDFFont>>;
  readonly leaves: Leaf[];
  readonly tags: Tags;
}

/** Returns the document as a sheet, with its first page. */
export async function openSheet(document: PDFDocument, faces: Faces): Promise<DrawingSurface> {
  const regular = await embed(document, faces, "regular");
  const bold = await embed(document, faces, "bold");
  const paper: Paper = {
    document,
    faces,
    fonts: { regular, bold },
    leaves: [],
    tags: createTags(),
  };
  let breathed = performance.now();
  addPage(paper);
  const breathe = async () => {
    if (performance.now() - breathed < MAX_BREATH_MS) return;
    await delay(0);
    breathed = performance.now();
  };
  return {
    y: PAGE.top,
    continuation: () => PAGE.top,
    get pages() {
      return paper.leaves.length;
    },
    addPage: () => addPage(paper),
    write: (text, options) => write(paper, text, options),
    box: (box) => drawBox(paper, box),
    rule: (rule) => drawRule(paper, rule),
    wrap: (text, { style, width }) => wrap(text, style, { width, faces }),
    fitted: (text, { style, width }) =>
      fitLine(printable(text.slice(0, MAX_LINE_LENGTH), faces[style.face]), style, {
        width,
        faces,
      }),
    widthOf: (text, style) => computeWidth(printable(text, faces[style.face]), style, faces),
    breathe,
    begin: (role) => beginTag(paper.tags, role),
    end: () => endTag(paper.tags),
    finish: () =>
      writeTags(document, paper.tags, { pages: paper.leaves.map((it) => it.page), breathe }),
  };
}

function write(paper: Paper, text: string, options: LineOptions): void {
  const { style: wanted, x, y, width, align = "left", role } = options;
  const page = options.page ?? paper.leaves.length - 1;
  const { faces, fonts } = paper;
  const clean = printable(text.slice(0, MAX_LINE_LENGTH), faces[wanted.face]);
  if (clean === "") return;
  const leaf = getLeaf(paper, page);
  const { text: shown, style } = width === undefined
    ? { text: clean, style: wanted }
    : fitLine(clean, wanted, { width, faces });
  const slack = (width ?? 0) - computeWidth(shown, style, faces);
  const shift = align === "right" ? slack : align === "center" ? slack / 2 : 0;
  leaf.page.pushOperators(
    beginContent(paper.tags, page, role),
    beginText(),
    setFillingRgbColor(...style.color),
    setFontAndSize(leaf.fontKeys[style.face], style.size),
    setTextMatrix(1, 0, 0, 1, round(x + shift), round(PAGE.height - y)),
    showText(fonts[style.face].encodeText(shown)),
    endText(),
    endContent(),
  );
}

function drawBox(paper: Paper, { x, y, width, height, color }: Box): void {
  getLeaf(paper).page.pushOperators(
    beginArtifact(),
    setFillingRgbColor(...color),
    rectangle(round(x), round(PAGE.height - y - height), round(width), round(height)),
    fill(),
    endContent(),
  );
}

function drawRule(
  paper: Paper,
  { x, y, width, color = HAIRLINE, weight = 0.5, page }: RuleLine,
): void {
  getLeaf(paper, page).page.pushOperators(
    beginArtifact(),
    setStrokingRgbColor(...color),
    setLineWidth(weight),
    moveTo(round(x), round(PAGE.height - y)),
    lineTo(round(x + width), round(PAGE.height - y)),
    stroke(),
    endContent(),
  );
}

function getLeaf({ leaves }: Paper, page = leaves.length - 1): Leaf {
  const leaf = leaves[page];
  if (leaf === undefined) throw new RangeError(`the sheet has no page ${page}`);
  return leaf;
}

function addPage({ document, fonts, leaves }: Paper): void {
  const page = document.addPage([PAGE.width, PAGE.height]);
  leaves.push({
    page,
    fontKeys: {
      regular: page.node.newFontDictionary("Regular", fonts.regular.ref),
      bold: page.node.newFontDictionary("Bold", fonts.bold.ref),
    },
  });
}

async function embed(document: PDFDocument, faces: Faces, name: FaceName): Promise<PDFFont> {
  const face = faces[name];
  document.registerFontkit(face.source);
  return await document.embedFont(face.data, { subset: true, customName: face.name });
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
