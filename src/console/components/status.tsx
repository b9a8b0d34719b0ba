import { useLanguage } from "../i18n/language.ts";
import { getStatusName } from "./status_name.ts";
import { statusTone } from "./status_tone.ts";

/** Status of an invoice in words; the color of the dot only helps. The code is a tooltip. */
export function Status({ code, label, labelEn, name, tone = statusTone(code) }: {
  code: string;
  label: string;
  labelEn?: string | undefined;
  /** Words of the page, which replace the name of the status. */
  name?: string | undefined;
  /** Color of the dot, if it is not the usual one of the status. */
  tone?: ReturnType<typeof statusTone>;
}) {
  const language = useLanguage();
  return (
    <span className="ps-status" data-tone={tone} title={code}>
      {name ?? getStatusName({ code, label, labelEn }, language)}
    </span>
  );
}
