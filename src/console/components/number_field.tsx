import { TextInput, type TextInputProps } from "@mantine/core";
import { useState } from "react";
import { defineWords, useLanguage, useWords } from "../i18n/language.ts";
import {
  addStep,
  isPlainNumber,
  numberHeld,
  type NumberShape,
  numberText,
  readNumber,
} from "./number_text.ts";

const WORDS = defineWords({
  en: {
    number: (text: string) => `“${text}” is not a number`,
    whole: (text: string) => `“${text}” is not a whole number`,
    decimals: (text: string, most: number) =>
      `“${text}” has more than ${most} digits after the decimal point`,
    ambiguous: (text: string, [whole, decimals]: readonly [string, string]) =>
      `“${text}” can be read in two ways: write ${whole} or ${decimals}`,
  },
  fr: {
    number: (text: string) => `« ${text} » n'est pas un nombre`,
    whole: (text: string) => `« ${text} » n'est pas un nombre entier`,
    decimals: (text: string, most: number) =>
      `« ${text} » a plus de ${most} chiffres après la virgule`,
    ambiguous: (text: string, [whole, decimals]: readonly [string, string]) =>
      `« ${text} » peut se lire de deux façons : écrivez ${whole} ou ${decimals}`,
  },
});

const STEPS: ReadonlyMap<string, number> = new Map([["ArrowUp", 1], ["ArrowDown", -1]]);

/**
 * Number field in the reader's language; the value is text, so that no digit is lost. Unreadable input is
 * passed on unchanged, so that it is never read as another number, and the field shows the error. Mantine's
 * `NumberInput` drops such characters: in French, a pasted `12.5` becomes 125.
 */
export function NumberField({ value, onChange, mostDecimals, step = 1, error, ...look }:
  & Omit<TextInputProps, "value" | "onChange" | "type" | "inputMode" | "step">
  & NumberShape
  & {
    readonly value: string;
    readonly onChange: (value: string) => void;
    /** Step of the up and down keys. */
    readonly step?: number | undefined;
  }) {
  const language = useLanguage();
  const words = useWords(WORDS);
  const shape = { mostDecimals };
  const [typed, setTyped] = useState({ text: numberText(value, language), value, language });
  if (typed.value !== value || typed.language !== language) {
    setTyped({ text: numberText(value, language), value, language });
  }
  const { text } = typed;
  return (
    <TextInput
      {...look}
      inputMode={mostDecimals === 0 ? "numeric" : "decimal"}
      autoComplete="off"
      error={mistake() ?? error}
      value={text}
      onChange={(event) => {
        const text = event.currentTarget.value;
        const next = numberHeld(text, language, shape);
        setTyped({ text, value: next, language });
        if (next !== value) onChange(next);
      }}
      onKeyDown={(event) => {
        const by = STEPS.get(event.key);
        if (by === undefined || look.readOnly || value !== "" && !isPlainNumber(value)) return;
        event.preventDefault();
        onChange(addStep(value || "0", by * step));
      }}
      onBlur={() => {
        const isRead = "value" in readNumber(text, language, shape);
        if (isRead) setTyped({ ...typed, text: numberText(value, language) });
      }}
    />
  );

  function mistake(): string | undefined {
    if (/^\s*[-+\u2212]?$/.test(text)) return undefined; // only begun
    const read = readNumber(text, language, shape);
    if ("value" in read) return undefined;
    if ("ambiguous" in read) return words.ambiguous(text, read.ambiguous);
    if (mostDecimals === 0) return words.whole(text);
    return read.wrong === "decimals" ? words.decimals(text, mostDecimals ?? 0) : words.number(text);
  }
}
