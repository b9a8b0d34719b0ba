/** Fonts of a page. */
export type FaceName = "regular" | "bold";

/** Red, green and blue from 0 to 1. */
export type Color = readonly [number, number, number];

/** Text style; sizes are in points. */
export interface Style {
  readonly face: FaceName;
  readonly size: number;
  readonly color: Color;
}

const INK: Color = [0.13, 0.15, 0.18];
const MUTED: Color = [0.42, 0.46, 0.51];
/** Colours by purpose: accents, fields, thin lines, paper. */
export const ACCENT: Color = [0.09, 0.24, 0.39];
export const TINT: Color = [0.937, 0.953, 0.969];
export const HAIRLINE: Color = [0.83, 0.86, 0.89];
export const WHITE: Color = [1, 1, 1];

/** Styles of a page by purpose. */
export const BODY: Style = { face: "regular", size: 8.5, color: INK };
export const STRONG: Style = { face: "bold", size: 8.5, color: INK };
export const SMALL: Style = { face: "regular", size: 7.5, color: MUTED };
export const CAPTION: Style = { face: "regular", size: 7, color: MUTED };
export const HEADING: Style = { face: "bold", size: 8.5, color: ACCENT };
export const TITLE: Style = { face: "bold", size: 20, color: ACCENT };
export const NAME: Style = { face: "bold", size: 14, color: INK };

/** A4 in points, with the margins of the content. */
export const PAGE = {
  width: 595.28,
  height: 841.89,
  left: 42,
  right: 553.28,
  top: 42,
  bottom: 784,
};
export const WIDTH = PAGE.right - PAGE.left;
