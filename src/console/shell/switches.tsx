import { Menu, SegmentedControl, useMantineColorScheme } from "@mantine/core";
import { chooseLanguage, type ConsoleLanguage, useLanguage, useWords } from "../i18n/language.ts";
import { SHELL } from "./words.ts";

interface Switch {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly data: readonly { readonly value: string; readonly label: string }[];
}

function useLanguageSwitch(): Switch {
  return {
    label: useWords(SHELL).language,
    value: useLanguage(),
    onChange: (it) => chooseLanguage(it as ConsoleLanguage),
    data: [{ value: "fr", label: "Français" }, { value: "en", label: "English" }],
  };
}

function useThemeSwitch(): Switch {
  const words = useWords(SHELL);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return {
    label: words.theme,
    value: colorScheme,
    onChange: (it) => setColorScheme(it as "light" | "dark" | "auto"),
    data: [
      { value: "auto", label: words.auto },
      { value: "light", label: words.light },
      { value: "dark", label: words.dark },
    ],
  };
}

export function LanguageSwitch() {
  return <Segments {...useLanguageSwitch()} />;
}

export function ThemeSwitch() {
  return <Segments {...useThemeSwitch()} />;
}

function Segments({ label, data, ...control }: Switch) {
  return <SegmentedControl size="xs" aria-label={label} data={[...data]} {...control} />;
}

/** Language choice for a menu, built of menu items only. */
export function LanguageChoice() {
  return <Choices {...useLanguageSwitch()} />;
}

export function ThemeChoice() {
  return <Choices {...useThemeSwitch()} />;
}

function Choices({ label, value, onChange, data }: Switch) {
  return (
    <div role="group" aria-label={label}>
      <Menu.Label>{label}</Menu.Label>
      <Menu.RadioGroup value={value} onChange={onChange}>
        {data.map((it) => (
          <Menu.RadioItem key={it.value} value={it.value}>{it.label}</Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </div>
  );
}
