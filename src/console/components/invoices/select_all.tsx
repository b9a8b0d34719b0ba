import { Button } from "@mantine/core";
import { readPath, useAsk } from "../../api/queries.ts";
import { useFormats, useWords } from "../../i18n/language.ts";
import { problemText } from "../notes.tsx";
import { toast } from "../toasts.tsx";
import { BULK } from "./bulk_words.ts";

/** Most invoices of a selection, as the preview of bulk actions limits them. */
const MAX = 1_000;
const PAGE = 500;

/** Button that selects all invoices of the list, also those of other pages; absent if all are selected. */
export function SelectAll({ query, total, isCapped, selected, onSelect }: {
  query: Readonly<Record<string, string | undefined>>;
  total: number;
  isCapped: boolean;
  selected: ReadonlySet<string>;
  onSelect: (all: ReadonlySet<string>) => void;
}) {
  const words = useWords(BULK);
  const { number } = useFormats();
  const count = Math.min(total, MAX);
  const work = useAsk(async () => {
    const ids = new Set<string>();
    for (let page = 1; (page - 1) * PAGE < count; page++) {
      const { invoices } = await readPath("/api/invoices", {
        query: { ...query, page, pageSize: PAGE },
      });
      for (const it of invoices) ids.add(`${it.fedoc}-${it.fedct}-${it.kco}`);
    }
    return ids;
  });
  if (selected.size >= count) return null;
  const label = number(count);
  return (
    <Button
      size="xs"
      px="xs"
      variant="subtle"
      loading={work.isPending}
      onClick={() =>
        work.mutate(undefined, {
          onSuccess: onSelect,
          onError: (problem) => toast(problemText(problem), "failed"),
        })}
    >
      {isCapped || total > MAX ? words.firstMatching(label) : words.allMatching(label)}
    </Button>
  );
}
