import { SimpleGrid } from "@mantine/core";
import type { components } from "../../api/schema.d.ts";
import { Kpi } from "../../components/kpi.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { useAmounts } from "./amounts.ts";
import { findDayBefore } from "./days.ts";
import { findList } from "./work_lists.ts";
import { HOME } from "./words.ts";

type Figures = components["schemas"]["HomeFigures"];
type Figure = components["schemas"]["HomeFigures"]["month"]["issued"];

/** Figures of the current month, each with that of the month before and a link to its invoices. */
export function Month({ figures: { today, month, before } }: { figures: Figures }) {
  const words = useWords(HOME);
  const { percent, number } = useFormats();
  const amounts = useAmounts();
  const issued = { role: "seller", dateFrom: month.from, dateTo: month.to };
  const open = { role: "seller", open: "true", payable: "true" };
  const rate = (value: number | null) => value === null ? "–" : percent(value);
  const sum = (it: Figure) => amounts(it.amounts.slice(0, 1)) || amounts(NOTHING);
  const others = (it: Figure) => amounts(it.amounts.slice(1));
  const note = (now: Figure, last: Figure, hint = words.before) => (
    <>
      <div>{[words.invoices(number(now.invoices)), others(now)].filter(Boolean).join(" · ")}</div>
      <div>{hint(sum(last))}</div>
    </>
  );
  return (
    <SimpleGrid
      component="section"
      className="ps-kpis ps-month"
      aria-label={words.month}
      cols={{ base: 2, md: 6, xl: 5 }}
      spacing={{ base: "xs", sm: "md" }}
    >
      <Kpi
        label={words.issued}
        value={sum(month.issued)}
        href={list({ ...issued, counted: "true" })}
      >
        {note(month.issued, before.issued)}
      </Kpi>
      <Kpi
        label={words.firstTime}
        value={rate(month.firstTimeRate)}
        href="/finance?period=thisMonth#deposits"
      >
        {month.firstTime.submitted > 0 && (
          <div>
            {words.firstTimeOf(number(month.firstTime.accepted), number(month.firstTime.submitted))}
          </div>
        )}
        <div>{words.before(rate(before.firstTimeRate))}</div>
      </Kpi>
      <Kpi
        label={words.disputed}
        value={number(month.disputed.invoices)}
        href={findList("disputed", today)}
      >
        <div>{amounts(month.disputed.amounts)}</div>
        <div>{words.disputedBefore(number(before.disputed.invoices))}</div>
      </Kpi>
      <Kpi
        label={words.toCollect}
        value={sum(month.toCollect)}
        href={list({ ...open, dueFrom: month.from, dueTo: month.to })}
      >
        {note(month.toCollect, before.toCollect, words.dueBefore)}
      </Kpi>
      <Kpi
        label={words.late}
        value={sum(month.late)}
        href={list({ ...open, dueTo: findDayBefore(today), sort: "dueDate asc" })}
      >
        {note(month.late, before.late, words.lateBefore)}
        <div>{words.withoutCredits}</div>
      </Kpi>
    </SimpleGrid>
  );
}

const NOTHING = [{ currency: "EUR", amount: "0.00" }];

const list = (filters: Readonly<Record<string, string>>) =>
  `/invoices?${new URLSearchParams(filters)}`;
