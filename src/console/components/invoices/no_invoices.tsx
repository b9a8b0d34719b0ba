import { Button } from "@mantine/core";
import type { ComponentProps } from "react";
import { Link } from "wouter";
import { defineWords, useWords } from "../../i18n/language.ts";
import { Empty } from "../notes.tsx";
import { isShortBeginning } from "./prefix_sign.ts";
import type { InvoiceListView } from "./view.ts";
import { INVOICES } from "./words.ts";

const WORDS = defineWords({
  en: {
    shortHint: "A search finds a whole word, or at least its first three characters.",
    searchBoth: "Search sales and purchases",
  },
  fr: {
    shortHint: "La recherche trouve un mot entier, ou au moins ses trois premiers caractères.",
    searchBoth: "Chercher dans les ventes et les achats",
  },
});

/** Note that a list without invoices shows. A search of one side leads to the same search of both. */
export function NoInvoices(
  { path, filters: { search = "" }, direction, isFiltered, onClear, empty }: {
    path: string;
    filters: InvoiceListView["filters"];
    /** Side of the list; undefined if it shows both. */
    direction: "issued" | "received" | undefined;
    isFiltered: boolean;
    onClear: () => void;
    /** Note on a list without filters. */
    empty: Omit<ComponentProps<typeof Empty>, "icon">;
  },
) {
  const words = useWords(INVOICES);
  const { shortHint, searchBoth } = useWords(WORDS);
  if (!isFiltered) return <Empty icon="invoices" {...empty} />;
  return (
    <Empty
      icon="search"
      title={words.none}
      hint={isShortBeginning(search) ? shortHint : words.noneHint}
    >
      {direction && search && (
        <Button
          component={Link}
          href={`/invoices?direction=both&search=${encodeURIComponent(search)}`}
          variant="default"
        >
          {searchBoth}
        </Button>
      )}
      <Button component={Link} href={path} variant="default" onClick={onClear}>
        {words.clear}
      </Button>
    </Empty>
  );
}
