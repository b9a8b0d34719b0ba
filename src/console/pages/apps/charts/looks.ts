/** Colors of a chart, from the theme where it has them. */
export interface Looks {
  readonly font: string;
  readonly text: string;
  readonly muted: string;
  readonly border: string;
  readonly page: string;
  readonly series: readonly string[];
  readonly tones: Readonly<Record<string, string>>;
  /** Colors of a heatmap, from lowest to highest. */
  readonly range: readonly [string, string];
}

/**
 * Palette for color-blind readers too (Okabe and Ito, darkened for white, lightened for black). It has as many colors
 * as a chart has series at most.
 */
const SERIES = {
  light: [
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
  ],
  dark: [
    "#5fb0e5",
    "#f0a83c",
    "#3fc79c",
    "#e090b8",
    "#9ccdf0",
    "#e58352",
    "#ada3e0",
    "#c6c64e",
    "#a8a8a8",
    "#4cc3cf",
    "#f07fa0",
    "#c9a58f",
    "#308400",
    "#6c60e4",
    "#9c6084",
    "#00849c",
    "#ccfccc",
    "#9c6c00",
    "#fcf000",
    "#c060d8",
  ],
} as const;

/** Reads the colors that currently apply at an element. */
export function readLooks(place: HTMLElement, scheme: "light" | "dark"): Looks {
  const probe = document.createElement("span");
  place.append(probe);
  const of = (name: string) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const looks: Looks = {
    font: getComputedStyle(place).fontFamily,
    text: of("--mantine-color-text"),
    muted: of("--ps-muted"),
    border: of("--ps-border"),
    page: of("--mantine-color-body"),
    series: SERIES[scheme],
    tones: {
      good: of("--ps-success"),
      warning: of("--ps-warning"),
      bad: of("--ps-error"),
      muted: of("--ps-muted"),
    },
    range: [of("--ps-surface"), of("--ps-primary")],
  };
  probe.remove();
  return looks;
}
