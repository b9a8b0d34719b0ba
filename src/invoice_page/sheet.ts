import type { Color, Style } from "./theme.ts";

/**
 * Meaning of a part of the page for screen readers. `Artifact` is content that repeats other parts, such as the head of
 * a further page.
 */
export type TagRole = "Artifact" | "H1" | "H2" | "P" | "TD" | "TH" | "TR" | "Table";

/**
 * Drawing surface, independent of the output format. Positions and sizes are points from the upper left corner of a
 * page of `PAGE` size; pages count from 0.
 */
export interface DrawingSurface {
  /** Position where content continues on the last page. */
  y: number;
  /** Draws the head of every further page and returns where its content starts. */
  continuation: (sheet: DrawingSurface) => number;
  readonly pages: number;
  addPage(): void;
  /** Writes one line on the last page, unless `page` names another. */
  write(text: string, options: LineOptions): void;
  /** Draws a filled rectangle whose upper left corner is at `x`, `y`. */
  box(box: Box): void;
  rule(rule: RuleLine): void;
  /**
   * Breaks a text into lines no wider than `width`, at spaces and line feeds. Words are broken only if they are wider
   * than a line.
   */
  wrap(text: string, options: TextBox): TextLine[];
  /** Fits the text into one line of the width: in a smaller size if that suffices, else cut off with an ellipsis. */
  fitted(text: string, options: TextBox): TextLine;
  widthOf(text: string, style: Style): number;
  /** Opens a part inside the open one. Later content belongs to it until `end`. */
  begin(role: TagRole): void;
  end(): void;
  /** Writes the structure of all parts, once everything is drawn. */
  finish(): Promise<void>;
  /** Yields to other work if the drawing has blocked the process for a while. */
  breathe(): Promise<void>;
}

/** Printed line of a text. */
export interface TextLine {
  readonly text: string;
  readonly style: Style;
}

/** Maximum width of a text, and its style. */
export interface TextBox {
  readonly style: Style;
  readonly width: number;
}

/** Position of a drawn element. */
export interface Placement {
  readonly x: number;
  /** Baseline. */
  readonly y: number;
  /** Available width; needed for `right` and to shrink a text that does not fit. */
  readonly width?: number;
  readonly align?: "left" | "right" | "center";
}

/** Position and style of a line. */
export interface LineOptions extends Placement {
  readonly style: Style;
  readonly page?: number;
  /** Meaning of a text outside of all parts; a paragraph by default. */
  readonly role?: "H1" | "H2";
}

/** Filled rectangle. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly color: Color;
}

/** Horizontal line. */
export interface RuleLine {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly color?: Color;
  readonly weight?: number;
  readonly page?: number;
}
