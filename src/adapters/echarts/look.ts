/** Colours that colour-blind readers can distinguish too (Okabe and Ito, darkened for lines on white). */
export const PALETTE = [
  "#0072b2",
  "#e08600",
  "#009e73",
  "#cc6699",
  "#56a3d6",
  "#b34500",
  "#7a6fb0",
  "#8a8a00",
  "#666666",
  "#00838f",
  "#a3195b",
  "#6b4a33",
  "#6c24a8",
  "#0c6c00",
  "#00486c",
  "#a878fc",
  "#183cb4",
  "#540024",
  "#240078",
  "#003c00",
] as const;
/** The first that a reader has; of a PNG it is the only one. */
export const FONT = "DejaVu Sans, Arial, Helvetica, sans-serif";
export const INK = "#1f2933";
export const MUTED = "#5f6b76";
export const RULE = "#e1e5ea";

const TONES: Readonly<Record<string, string>> = {
  good: "#1b7f4d",
  warning: "#c77700",
  bad: "#c0302b",
  muted: "#7b8794",
};

/** Returns the colour of the last threshold that the value has reached; undefined below the first. */
export function toneColor(
  thresholds: readonly { readonly from: number; readonly tone: string }[],
  value: number,
): string | undefined {
  const reached = thresholds.filter(({ from }) => value >= from)
    .reduce<{ from: number; tone: string } | undefined>(
      (best, it) => best === undefined || it.from >= best.from ? it : best,
      undefined,
    );
  if (reached === undefined) return undefined;
  return Object.hasOwn(TONES, reached.tone) ? TONES[reached.tone] : MUTED;
}
