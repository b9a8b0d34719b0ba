import { useLanguage } from "../i18n/language.ts";
import { statusTone } from "./status_tone.ts";

/** Status of an invoice in words; the color of the dot only helps. */
export function Status({ code, label, labelEn }: {
  code: string;
  label: string;
  labelEn?: string | undefined;
}) {
  const language = useLanguage();
  return (
    <span className="ps-status" data-tone={statusTone(code)}>
      {language === "en" && labelEn ? labelEn : label}
      <span className="ps-code">{code}</span>
    </span>
  );
}
