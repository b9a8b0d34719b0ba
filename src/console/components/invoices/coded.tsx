import { useRead } from "../../api/queries.ts";
import { useLanguage } from "../../i18n/language.ts";

/** Label of a code with the code as a tooltip, or the code alone if it has no label. */
export function Coded({ of, code, count = 1 }: {
  of: "statuses" | "units" | "vat-categories" | "document-types" | "business-processes";
  code: string | null | undefined;
  /** Number of units, for the plural. */
  count?: number | null;
}) {
  const language = useLanguage();
  const { data } = useRead("/api/catalogues/{name}", { path: { name: of } });
  const known = data?.items.find((it) => it.code === code);
  if (!code || !known) return code ?? "";
  const size = Math.abs(count ?? 1);
  const isPlural = language === "fr" ? size >= 2 : size !== 1;
  const words = isPlural ? known.plural ?? known.label : known.label;
  return <span title={code}>{words}</span>;
}
