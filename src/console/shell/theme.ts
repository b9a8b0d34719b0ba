import {
  createTheme,
  type CSSVariablesResolver,
  defaultVariantColorsResolver,
  localStorageColorSchemeManager,
  type MantineColorsTuple,
} from "@mantine/core";
import type { KeyboardEvent, MouseEvent } from "react";
import type { components } from "../api/schema.d.ts";

type Row = components["schemas"]["ThemeRecord"];
type Key = keyof typeof BUILT_IN;
type Palette = Readonly<Record<Key, readonly [light: string, dark: string]>>;

/**
 * Default colors, used until the installation's own colors are loaded and for readers who may not load them.
 */
const BUILT_IN = {
  primary: ["#173D63", "#8FB8E0"],
  onPrimary: ["#FFFFFF", "#0B1E31"],
  secondary: ["#4A6C8C", "#B3CBE2"],
  background: ["#FFFFFF", "#14181D"],
  surface: ["#EFF3F7", "#1D232A"],
  text: ["#21262E", "#E6EAEF"],
  textMuted: ["#6B7582", "#9AA5B1"],
  border: ["#D4DBE3", "#37414C"],
  success: ["#1E7B4B", "#6FCF9B"],
  warning: ["#9A6700", "#E3B341"],
  error: ["#B3261E", "#F2857E"],
  info: ["#1F5FA8", "#79B0EE"],
} as const;

const COLOR = /^#[0-9a-f]{6}$/i;

/** Returns the installation's first theme; invalid colors keep their default. */
export function readPalette(rows: readonly Row[]): Palette {
  const first = rows[0]?.THM_NAME;
  const own = rows.filter((it) => it.THM_NAME === first && it.TCL_KEY in BUILT_IN)
    .filter((it) => COLOR.test(it.TCL_LIGHT) && COLOR.test(it.TCL_DARK))
    .map((it) => [it.TCL_KEY, [it.TCL_LIGHT, it.TCL_DARK]] as const);
  return { ...BUILT_IN, ...Object.fromEntries(own) };
}

export const schemes = localStorageColorSchemeManager({ key: "passerelle-theme" });

/**
 * Defaults of choice fields: typing selects the first match, and focus alone opens no list. Enter belongs to
 * the open list, since submitting the form would send the previous choice.
 */
const CHOICE = {
  openOnFocus: false,
  selectFirstOptionOnChange: true,
  onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key === "Enter" && event.currentTarget.closest("[data-expanded]")) {
      event.preventDefault();
    }
  },
};

const BUTTON = {
  /** The second click of a double click submits no form. */
  onClickCapture(event: MouseEvent<HTMLButtonElement>) {
    if (event.currentTarget.type === "submit" && event.detail > 1) event.preventDefault();
  },
  /** A held key presses once. Otherwise it would also answer the dialog that it opened. */
  onKeyDown(event: KeyboardEvent<HTMLButtonElement>) {
    if (event.repeat && event.key === "Enter") event.preventDefault();
  },
};

/** A pressed entry disappears: the button of the menu gets the focus, and a dialog returns it there. */
const MENU = {
  onClickCapture({ target, currentTarget }: MouseEvent<HTMLElement>) {
    if (!(target as Element).closest("[role=menuitem]")) return;
    document.getElementById(currentTarget.getAttribute("aria-labelledby") ?? "")?.focus();
  },
};

export const theme = createTheme({
  primaryColor: "brand",
  primaryShade: { light: 8, dark: 3 },
  colors: { brand: shades(BUILT_IN.primary[0]) },
  // In the dark scheme, filled areas are light with dark text.
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input);
    const isOwn = input.variant === "filled" && (input.color ?? "brand") === "brand";
    return isOwn ? { ...colors, color: "var(--ps-on-primary)" } : colors;
  },
  fontFamily:
    "Inter, 'Segoe UI', system-ui, -apple-system, Roboto, 'Helvetica Neue', Arial, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'Cascadia Mono', 'JetBrains Mono', Menlo, monospace",
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  headings: { fontWeight: "650" },
  components: {
    Button: { defaultProps: BUTTON },
    // Hints are below their fields, so that hints of different length keep neighbours aligned.
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ["label", "input", "description", "error"] },
    },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300 } },
    // Focus the first entry: the placeholder that would get the focus is no valid child of a menu.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    MenuDropdown: { defaultProps: MENU },
    Modal: { defaultProps: { centered: true, transitionProps: { duration: 120 } } },
    Drawer: { defaultProps: { position: "right", transitionProps: { duration: 120 } } },
    Select: { defaultProps: { ...CHOICE, allowDeselect: false } },
    MultiSelect: { defaultProps: CHOICE },
    Table: { defaultProps: { verticalSpacing: 7, horizontalSpacing: "sm" } },
  },
});

/** Uses the light scheme for printing, where light text would vanish without its dark background. */
export function printByDay(): () => void {
  const { dataset } = document.documentElement;
  const paper = matchMedia("print");
  let scheme: string | undefined;
  const onChange = () => {
    if (paper.matches) {
      scheme = dataset["mantineColorScheme"];
      dataset["mantineColorScheme"] = "light";
    } else if (scheme !== undefined) dataset["mantineColorScheme"] = scheme;
  };
  paper.addEventListener("change", onChange);
  return () => paper.removeEventListener("change", onChange);
}

/** Converts the palette into CSS variables of both schemes. */
export function variables(palette: Palette): CSSVariablesResolver {
  const scheme = (at: 0 | 1) => {
    const it = (key: Key) => palette[key][at];
    const muted = `color-mix(in srgb, ${it("textMuted")} 72%, ${it("text")})`;
    return {
      "--mantine-color-body": it("background"),
      "--mantine-color-text": it("text"),
      "--mantine-color-dimmed": muted,
      "--mantine-color-placeholder": muted,
      "--mantine-color-default": it("background"),
      "--mantine-color-default-color": it("text"),
      "--mantine-color-default-hover": it("surface"),
      "--mantine-color-default-border": it("border"),
      "--mantine-color-anchor": it("info"),
      "--mantine-color-error": it("error"),
      "--mantine-color-brand-filled": it("primary"),
      "--mantine-color-brand-filled-hover": `color-mix(in srgb, ${it("primary")} 88%, ${
        it("text")
      })`,
      "--mantine-color-brand-light": `color-mix(in srgb, ${it("primary")} 12%, ${
        it("background")
      })`,
      "--mantine-color-brand-light-hover": `color-mix(in srgb, ${it("primary")} 18%, ${
        it("background")
      })`,
      "--mantine-color-brand-light-color": it("primary"),
      "--mantine-color-brand-outline": it("primary"),
      "--mantine-primary-color-contrast": it("onPrimary"),
      "--ps-surface": it("surface"),
      "--ps-border": it("border"),
      "--ps-muted": muted,
      "--ps-on-primary": it("onPrimary"),
      "--ps-primary": it("primary"),
      "--ps-success": it("success"),
      "--ps-warning": it("warning"),
      "--ps-error": it("error"),
      "--ps-info": it("info"),
    };
  };
  return () => ({ variables: {}, light: scheme(0), dark: { ...scheme(1), ...night(palette) } });
}

/** Returns the dark colors of fields, menus and frames, replacing Mantine's greys by the palette. */
function night(palette: Palette): Readonly<Record<string, string>> {
  const it = (key: Key) => palette[key][1];
  const mixed = (one: string, share: number, other: string) =>
    `color-mix(in srgb, ${one} ${share}%, ${other})`;
  const greys = [
    it("text"),
    mixed(it("text"), 80, it("textMuted")),
    it("textMuted"),
    mixed(it("textMuted"), 60, it("border")),
    it("border"),
    mixed(it("border"), 50, it("surface")),
    it("surface"),
    it("background"),
    mixed(it("background"), 85, "black"),
    mixed(it("background"), 70, "black"),
  ];
  return Object.fromEntries(greys.map((grey, at) => [`--mantine-color-dark-${at}`, grey]));
}

/** Returns ten shades of a color from nearly white to nearly black. */
function shades(color: string): MantineColorsTuple {
  const parts = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  const mixed = (other: number, share: number) =>
    `#${
      parts.map((it) => Math.round(it + (other - it) * share).toString(16).padStart(2, "0"))
        .join("")
    }`;
  const light = [0.94, 0.86, 0.72, 0.56, 0.42, 0.28, 0.14].map((it) => mixed(255, it));
  return [...light, mixed(255, 0.06), color, mixed(0, 0.25)] as unknown as MantineColorsTuple;
}
