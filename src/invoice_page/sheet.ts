import type { Color, Style } from "./theme.ts";

/**
 * Paper to write on, whatever makes it. Positions and sizes are points from the upper left corner of a page of `PAGE`
 * size; pages are counted from 0.
 */
export interface Sheet {
  /** Where content goes on, on the last page. */
  y: number;
  /** Draws what every further page begins with, and answers where its content starts. */
  continuation: (sheet: Sheet) => number;
  readonly pages: number;
  addPage(): void;
  /** Writes one line; unless `page` says otherwise, on the last page. */
  write(text: string, options: WriteOptions): void;
  /** A filled rectangle whose upper left corner is at `x`, `y`. */
  box(box: Box): void;
  rule(rule: Rule): void;
  /** Lines no wider than `width`: broken at spaces and line feeds, inside a word only when it fills a line alone. */
  wrap(text: string, options: Room): TextLine[];
  /** The text on one line of the width: smaller where that suffices, cut off with an ellipsis where it does not. */
  fitted(text: string, options: Room): TextLine;
  widthOf(text: string, style: Style): number;
  /** Lets the process do other work when the drawing has held it for a while. */
  breathe(): Promise<void>;
}

/** One printed line of a text. */
export interface TextLine {
  readonly text: string;
  readonly style: Style;
}

/** How wide a text may be, and in which style. */
export interface Room {
  readonly style: Style;
  readonly width: number;
}

/** Where something is drawn. */
export interface Placement {
  readonly x: number;
  /** Baseline. */
  readonly y: number;
  /** Horizontal room; needed for `right` and to shrink a text that would not fit. */
  readonly width?: number;
  readonly align?: "left" | "right" | "center";
}

/** How a line is written. */
export interface WriteOptions extends Placement {
  readonly style: Style;
  readonly page?: number;
}

/** A filled rectangle. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly color: Color;
}

/** A horizontal line. */
export interface Rule {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly color?: Color;
  readonly weight?: number;
  readonly page?: number;
}
