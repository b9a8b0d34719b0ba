import { Box, Button, Group, Pagination, Select, Text } from "@mantine/core";
import { defineWords, useFormats, useWords } from "../i18n/language.ts";
import { type Shown, shownPages } from "./read_page.ts";

const WORDS = defineWords({
  en: {
    pages: "Pages of the list",
    previous: "Previous page",
    next: "Next page",
    page: (page: number) => `Page ${page}`,
    perPage: "Rows per page",
    beyond: (total: string) => `Nothing on this page: there are ${total} in all`,
    toFirst: "Go to the first page",
    count: (from: string, to: string, total: string) => `${from}–${to} of ${total}`,
  },
  fr: {
    pages: "Pages de la liste",
    previous: "Page précédente",
    next: "Page suivante",
    page: (page: number) => `Page ${page}`,
    perPage: "Lignes par page",
    beyond: (total: string) => `Rien sur cette page : ${total} en tout`,
    toFirst: "Aller à la première page",
    count: (from: string, to: string, total: string) => `${from}–${to} sur ${total}`,
  },
});

const SIZES = [20, 50, 100, 200, 500];

/** Position in a list, and its other pages. The API counts up to a limit, shown with a plus sign. */
export function Pager({ onPage, onSize, ...shown }: Shown & {
  onPage: (page: number) => void;
  onSize?: (size: number) => void;
}) {
  const words = useWords(WORDS);
  const { number } = useFormats();
  const { page, size, total } = shown;
  if (total === 0) return null;
  const { from, to, isBeyond, pages, more } = shownPages(shown);
  const all = `${number(total)}${more}`;
  return (
    <Group
      justify="space-between"
      gap="sm"
      // Paper shows a part of the list, and says so.
      className={isBeyond ? "ps-no-print ps-beyond" : pages > 1 ? undefined : "ps-no-print"}
    >
      <Text size="sm" c="dimmed" aria-live="polite">
        {isBeyond ? words.beyond(all) : words.count(number(from), number(to), all)}
      </Text>
      <Group gap="sm" className="ps-no-print">
        {isBeyond && (
          <Button size="xs" variant="default" onClick={() => onPage(1)}>{words.toFirst}</Button>
        )}
        {onSize && (
          <Select
            size="xs"
            w={76}
            aria-label={words.perPage}
            data={[...new Set([size, ...SIZES])].sort((a, b) => a - b).map(String)}
            value={String(size)}
            onChange={(it) => onSize(Number(it))}
          />
        )}
        {pages > 1 && (
          <Box component="nav" aria-label={words.pages}>
            <Pagination
              size="sm"
              value={page}
              onChange={onPage}
              total={pages}
              getItemProps={(it) => ({ "aria-label": words.page(it) })}
              getControlProps={(control) => ({
                "aria-label": control === "next" ? words.next : words.previous,
              })}
            />
          </Box>
        )}
      </Group>
    </Group>
  );
}
