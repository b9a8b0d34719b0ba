import { useLanguage } from "../i18n/language.ts";
import { getStatusName } from "./status_name.ts";
import { statusTone } from "./status_tone.ts";

/** Status of an invoice in words; the color of the dot only helps. The code is a tooltip. */
export function Status({ code, label, labelEn }: {
  code: string;
  label: string;
  labelEn?: string | undefined;
}) {
  const language = useLanguage();
  return (
    <span className="ps-status" data-tone={statusTone(code)} title={code}>
      {getStatusName({ code, label, labelEn }, language)}
    </span>
  );
}
