import { useMay } from "../../api/me.tsx";
import { useRead } from "../../api/queries.ts";
import { foldText } from "../../components/fold.ts";
import { useWords } from "../../i18n/language.ts";
import { CONNECTIONS } from "../connections/words.ts";
import { useSectionTitle, useSectionTitles } from "../settings/section_title.ts";
import { PEOPLE } from "./words.ts";

/** Number of an invoice such as RI-100005. */
const NUMBER = /^(?=.*\d)\S+$/;

/** Object, or parts of its name and further names, as the API takes them. */
type TargetQuery =
  | { readonly target: string }
  | { readonly targetPart: string[]; readonly orTarget: string[] };

/**
 * Offers the shown names of objects, and returns the query for a typed part of one. A whole number of an invoice finds
 * this invoice, as long as no other invoice has the same.
 */
export function useTargets(typed: string) {
  const { systems, database } = useWords(PEOPLE);
  const { kinds } = useWords(CONNECTIONS);
  const sections = useSectionTitles();
  const titleOf = useSectionTitle();
  const text = typed.trim();
  const canSearch = useMay()("invoices:read") && NUMBER.test(text);
  const query = { ublNumber: text, pageSize: 20 };
  const found = useRead("/api/invoices", { query }, { when: canSearch });
  const same = (found.data?.invoices ?? []).filter((it) =>
    foldText(it.ublNumber) === foldText(text)
  );
  const [invoice, other] = same;
  const names: [name: string, title: string | undefined][] = [
    ...Object.entries({ ...systems, ...kinds }),
    ...["i18n/fr", "i18n/en"].map((it): [string, string] => [it, titleOf(it)]),
    ["e-invoicing", kinds["pa"]],
    ["e-directory", kinds["directory"]],
    ["global", kinds["mail"]],
    ["global", kinds["sftp"]],
  ];
  return {
    offered: Object.values({ ...sections, ...systems, ...kinds }),
    isReady: !canSearch || !found.isPending,
    query: (invoice && !other ? { target: `${invoice.fedoc}-${invoice.fedct}-${invoice.kco}` } : {
      targetPart: [text, ...findSections(text, sections), ...findPools(text, database)],
      orTarget: findNames(text, names),
    }) as TargetQuery,
  };
}

function findNames(
  part: string,
  names: readonly (readonly [name: string, title: string | undefined])[],
): string[] {
  const text = foldText(part);
  return names.filter(([, title]) => title !== undefined && foldText(title).includes(text))
    .map(([name]) => name);
}

/** Returns parts of stored lists of sections, such as `connectors, pools`. */
function findSections(part: string, titles: Readonly<Record<string, string>>): string[] {
  if (!part.includes(", ")) return findNames(part, Object.entries(titles));
  const nameOf = (title: string) =>
    Object.entries(titles).find(([, it]) => foldText(it) === foldText(title))?.[0] ?? title;
  return [part.split(", ").map(nameOf).join(", ")];
}

/** Returns the part of a stored database: `Base erp` is stored as `pool erp`. */
function findPools(part: string, prefix: string): string[] {
  const [text, shown] = [foldText(part), foldText(prefix)];
  if (text.startsWith(shown)) return [`pool ${text.slice(shown.length)}`];
  return shown.includes(text) ? ["pool "] : [];
}
