import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { defineWords, useWords } from "../i18n/language.ts";

const WORDS = defineWords({
  en: { show: "Show or hide what is typed" },
  fr: { show: "Montrer ou masquer la saisie" },
});

/** Password field; the button that reveals the text works from the keyboard. */
export function Password(props: PasswordInputProps) {
  const words = useWords(WORDS);
  return (
    <PasswordInput
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ "aria-label": words.show }}
      {...props}
    />
  );
}
