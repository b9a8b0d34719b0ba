import type { CSSProperties } from "react";

/** As high as asked for, also while the editor is loaded; without it as high as the window lets it. */
export const sized = (height: string | undefined): CSSProperties =>
  height === undefined ? {} : { height, minHeight: 0 };
