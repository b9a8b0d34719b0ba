import type { CSSProperties } from "react";

/**
 * Returns the style for a fixed height, valid while the editor loads too. Without a height the window limits
 * it.
 */
export const toHeightStyle = (height: string | undefined): CSSProperties =>
  height === undefined ? {} : { height, minHeight: 0 };
