import { SegmentedControl, useMantineColorScheme } from "@mantine/core";
import { chooseLanguage, type Language, useLanguage, useWords } from "../i18n/language.ts";
import { SHELL } from "./words.ts";

export function LanguageSwitch() {
  const words = useWords(SHELL);
  return (
    <SegmentedControl
      size="xs"
      aria-label={words.language}
      value={useLanguage()}
      onChange={(it) => chooseLanguage(it as Language)}
      data={[{ value: "fr", label: "Français" }, { value: "en", label: "English" }]}
    />
  );
}

export function ThemeSwitch() {
  const words = useWords(SHELL);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      size="xs"
      aria-label={words.theme}
      value={colorScheme}
      onChange={(it) => setColorScheme(it as "light" | "dark" | "auto")}
      data={[
        { value: "auto", label: words.auto },
        { value: "light", label: words.light },
        { value: "dark", label: words.dark },
      ]}
    />
  );
}
