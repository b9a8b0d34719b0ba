import { useMay } from "../../api/me.tsx";
import { useRead } from "../../api/queries.ts";
import { foldText } from "../../components/fold.ts";
import { useWords } from "../../i18n/language.ts";
import { useSectionTitles } from "../settings/section_title.ts";
import { PEOPLE } from "./words.ts";

/** Number of an invoice such as RI-100005. */
const NUMBER = /^(?=.*\d)\S+$/;

/**
 * Offers the shown names of objects, and returns the stored name of a typed one. An invoice is found by its number, as
 * long as no other invoice has the same.
 */
export function useTargets(typed: string) {
  const titles = Object.entries({ ...useSectionTitles(), ...useWords(PEOPLE).systems });
  const text = typed.trim();
  const canSearch = useMay()("invoices:read") && NUMBER.test(text);
  const query = { ublNumber: text, pageSize: 20 };
  const found = useRead("/api/invoices", { query }, { when: canSearch });
  const same = (found.data?.invoices ?? []).filter((it) =>
    foldText(it.ublNumber) === foldText(text)
  );
  const [invoice, other] = same;
  const nameOf = (title: string) =>
    titles.find(([, it]) => foldText(it) === foldText(title))?.[0] ?? title;
  return {
    offered: titles.map(([, title]) => title),
    isReady: !canSearch || !found.isPending,
    stored: invoice && !other
      ? `${invoice.fedoc}-${invoice.fedct}-${invoice.kco}`
      : text.split(", ").map(nameOf).join(", "),
  };
}
