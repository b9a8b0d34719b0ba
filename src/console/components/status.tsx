import { useLanguage } from "../i18n/language.ts";

type Tone = "good" | "bad" | "warn" | "busy" | "calm";

const TONES: readonly (readonly [RegExp, Tone])[] = [
  [/^(9904|9907|210|213|220|501)$/, "bad"],
  [/^(206|207|208)$/, "warn"],
  [/^(205|209|211|212)$/, "good"],
  [/^(10|20[0-4])$/, "busy"],
];

/** Where an invoice stands, in words; the dot's colour is an aid. */
export function Status({ code, label, labelEn }: {
  code: string;
  label: string;
  labelEn?: string | undefined;
}) {
  const language = useLanguage();
  const tone = TONES.find(([codes]) => codes.test(code))?.[1] ?? "calm";
  return (
    <span className="ps-status" data-tone={tone}>
      {language === "en" && labelEn ? labelEn : label}
      <span className="ps-code">{code}</span>
    </span>
  );
}
