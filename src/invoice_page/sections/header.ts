import { chooseTitle } from "../labels/words.ts";
import { wrapIn, writeLines } from "../flow.ts";
import type { DrawingSurface } from "../sheet.ts";
import {
  ACCENT,
  CAPTION,
  HEADING,
  NAME,
  PAGE,
  SMALL,
  STRONG,
  TITLE,
  WHITE,
  WIDTH,
} from "../theme.ts";
import { joinParts, type Scene } from "./scene.ts";

const HALF = WIDTH / 2;
/** Width for the name of the seller. */
const NAME_WIDTH = 300;
const NAME_LINES = 3;

/** Draws the seller on the left, and the title, number and status on the right. */
export function drawHeader({ sheet, invoice, words }: Scene, statusLabel: string | undefined) {
  const { seller } = invoice;
  const name = wrapIn(sheet, seller.tradingName ?? seller.name, { style: NAME, width: NAME_WIDTH })
    .slice(0, NAME_LINES);
  const left = writeLines(sheet, name, { x: PAGE.left, y: PAGE.top, width: NAME_WIDTH });
  const right = {
    x: PAGE.left + NAME_WIDTH + 10,
    width: WIDTH - NAME_WIDTH - 10,
    align: "right" as const,
  };
  sheet.write(chooseTitle(invoice.kind, invoice.typeCode, words), {
    ...right,
    style: TITLE,
    role: "H1",
    y: PAGE.top + 17,
  });
  const number = invoice.number === undefined ? "" : `${words.label.number} ${invoice.number}`;
  sheet.write(number, { ...right, style: { ...STRONG, size: 11 }, y: PAGE.top + 34 });
  const bottom = statusLabel === undefined
    ? PAGE.top + 40
    : drawBadge(sheet, statusLabel, PAGE.top + 41);
  sheet.y = Math.max(PAGE.top + left, bottom) + 8;
  sheet.rule({ x: PAGE.left, y: sheet.y, width: WIDTH, color: ACCENT, weight: 1.2 });
  sheet.y += 12;
}

/** Draws the short head of every page but the first. */
export function drawContinuation(scene: Omit<Scene, "sheet">, sheet: DrawingSurface): number {
  const { invoice, words } = scene;
  const width = HALF - 10;
  const y = PAGE.top + 6;
  const title = joinParts(
    [chooseTitle(invoice.kind, invoice.typeCode, words), invoice.number],
    " ",
  );
  sheet.write(invoice.seller.name ?? "", { style: SMALL, x: PAGE.left, y, width });
  sheet.write(title ?? "", {
    style: HEADING,
    x: PAGE.right - width,
    y,
    width,
    align: "right",
  });
  sheet.rule({ x: PAGE.left, y: y + 7, width: WIDTH, color: ACCENT, weight: 0.8 });
  return y + 19;
}

/** Draws the legal line and page number, once the number of pages is known. */
export function drawFooters({ sheet, invoice, words }: Scene): void {
  const { seller } = invoice;
  const legal = joinParts([seller.name, seller.legalInformation, seller.vatId], " · ");
  sheet.begin("Artifact");
  for (let page = 0; page < sheet.pages; page++) {
    sheet.rule({ x: PAGE.left, y: PAGE.bottom + 14, width: WIDTH, page });
    const y = PAGE.bottom + 25;
    const number = `${words.label.page} ${page + 1}/${sheet.pages}`;
    sheet.write(legal ?? "", { style: CAPTION, x: PAGE.left, y, width: WIDTH - 70, page });
    const right = { x: PAGE.right - 60, y, width: 60, align: "right" as const };
    sheet.write(number, { style: CAPTION, ...right, page });
  }
  sheet.end();
}

function drawBadge(sheet: DrawingSurface, label: string, y: number): number {
  const line = sheet.fitted(label, {
    style: { ...STRONG, size: 8, color: WHITE },
    width: WIDTH - NAME_WIDTH - 24,
  });
  const width = sheet.widthOf(line.text, line.style) + 14;
  sheet.box({ x: PAGE.right - width, y, width, height: 15.5, color: ACCENT });
  sheet.write(line.text, { style: line.style, x: PAGE.right - width + 7, y: y + 10.5 });
  return y + 15.5;
}
