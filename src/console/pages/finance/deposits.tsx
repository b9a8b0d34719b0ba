import { SimpleGrid, Text } from "@mantine/core";
import { useFormats, useWords } from "../../i18n/language.ts";
import { Kpi } from "../../components/kpi.tsx";
import { issuedIn, listInvoices, listUnanswered } from "./links.ts";
import { NO_FIGURE } from "./nothing.tsx";
import type { Overview } from "./report.ts";
import { Section } from "./section.tsx";
import { FINANCE } from "./words.ts";

/** Statuses of an invoice that no PA holds. */
const NOT_DEPOSITED = "9900,9901,9904,9906,9907";

/** First-time acceptance, deposits in time, and received invoices that wait for an answer. */
export function Deposits({ figures }: { figures: Overview }) {
  const words = useWords(FINANCE);
  return (
    <Section id="deposits" title={words.deposits}>
      <SimpleGrid className="ps-kpis" cols={{ base: 2, lg: 4 }} spacing={{ base: "xs", sm: "md" }}>
        <FirstAcceptance figures={figures} />
        <InTime figures={figures} />
        <Waiting figures={figures} />
        <Unanswered figures={figures} />
      </SimpleGrid>
    </Section>
  );
}

function FirstAcceptance({ figures }: { figures: Overview }) {
  const words = useWords(FINANCE);
  const { number, percent } = useFormats();
  const { accepted, submitted, rate, before } = figures.acceptance;
  const points = rate === null || before === null ? 0 : Math.round(10 * (rate - before)) / 10;
  const list = listInvoices({ direction: "issued", firstAccepted: "false", ...issuedIn(figures) });
  return (
    <Kpi
      label={words.acceptance}
      value={rate === null ? NO_FIGURE : percent(rate)}
      href={accepted < submitted ? list : undefined}
    >
      {words.acceptanceOf(number(accepted), number(submitted))}
      {points !== 0 && (
        <Text size="sm">
          {`${points > 0 ? "+" : "−"}${words.points(number(Math.abs(points)))}`}
        </Text>
      )}
    </Kpi>
  );
}

function InTime({ figures: { deposits } }: { figures: Overview }) {
  const words = useWords(FINANCE);
  const { number } = useFormats();
  const { deposited, late } = deposits;
  return (
    <Kpi
      label={words.onTime}
      value={deposited === 0 ? NO_FIGURE : `${number(deposited - late)} / ${number(deposited)}`}
    >
      {words.onTimeHint}
      {late > 0 && <Text size="sm">{words.late(number(late))}</Text>}
    </Kpi>
  );
}

function Waiting({ figures }: { figures: Overview }) {
  const words = useWords(FINANCE);
  const { day, number } = useFormats();
  const { waiting, oldest } = figures.deposits;
  const list = listInvoices({ direction: "issued", status: NOT_DEPOSITED, ...issuedIn(figures) });
  return (
    <Kpi
      label={words.waiting}
      value={number(waiting)}
      href={waiting > 0 ? list : undefined}
    >
      {oldest && words.oldest(day(oldest))}
    </Kpi>
  );
}

function Unanswered({ figures: { unanswered } }: { figures: Overview }) {
  const words = useWords(FINANCE);
  const { amount, day, number } = useFormats();
  const add = (countOf: (it: Overview["unanswered"][number]) => number) =>
    unanswered.reduce((count, it) => count + countOf(it), 0);
  const count = add((it) => it.invoices);
  const overdue = add((it) => it.overdue);
  const [oldest] = unanswered.flatMap((it) => it.oldest ?? []).toSorted();
  const amounts = unanswered.map((it) => amount(Number(it.amount), it.currency));
  return (
    <Kpi
      label={words.unanswered}
      value={number(count)}
      href={count > 0 ? listUnanswered() : undefined}
    >
      {[...amounts, overdue > 0 ? words.overdueCount(number(overdue)) : ""].filter(Boolean)
        .join(" · ")}
      {oldest && <Text size="sm">{words.waitingSince(day(oldest))}</Text>}
    </Kpi>
  );
}
