import { Box, SimpleGrid, Stack, Text } from "@mantine/core";
import { lazy, Suspense, useMemo } from "react";
import type { components } from "../../api/schema.d.ts";
import { type RecordColumn, Records } from "../../components/records.tsx";
import { useSampleWarning } from "../../components/sample_note.tsx";
import { formatNamed, useFormats, useLanguage, useWords } from "../../i18n/language.ts";
import { toBars } from "./bars.ts";
import { saveCsv } from "./csv.ts";
import { Kpi } from "../../components/kpi.tsx";
import { listInvoices } from "./links.ts";
import { NO_FIGURE, Nothing } from "./nothing.tsx";
import type { Overview } from "./report.ts";
import { Section } from "./section.tsx";
import { Count, Table } from "./vat_tables.tsx";
import { FINANCE } from "./words.ts";

const EChart = lazy(() => import("../apps/charts/echart.tsx"));

type Balance = components["schemas"]["AgedBalance"];
type Age = Balance["ages"][number];
type Debtor = Overview["debtors"][number];
type Role = "buyer" | "seller";

/** Open amounts of sales and purchases by age, days sales outstanding and debtors. */
export function Balances({ figures }: { figures: Overview }) {
  const words = useWords(FINANCE);
  const { day } = useFormats();
  const today = day(figures.today);
  return (
    <>
      <Section
        title={words.receivables}
        hint={words.receivablesHint(today)}
        onExport={useExport("receivables", figures)}
      >
        <Stack gap="lg">
          <ReceivablesTotals figures={figures} />
          <Aged role="seller" balances={figures.receivables} />
          <Debtors figures={figures} />
        </Stack>
      </Section>
      <Section
        title={words.payables}
        hint={words.payablesHint(today)}
        onExport={useExport("payables", figures)}
      >
        <Aged role="buyer" balances={figures.payables} />
      </Section>
    </>
  );
}

/** Returns a function that saves the ages as CSV, and the debtors with the receivables, as a second table. */
function useExport(
  side: "payables" | "receivables",
  figures: Overview,
) {
  const words = useWords(FINANCE);
  const warning = useSampleWarning();
  return () => {
    const ages = figures[side].flatMap(({ currency, ages: all }) =>
      all.map((it) => [words.ages[it.age], currency, it.invoices, { amount: it.amount }])
    );
    const debtors = side === "payables" ? [] : figures.debtors.map((it) => [
      it.name || it.reference,
      "EUR",
      it.invoices,
      { amount: it.amount },
      it.oldestDue ?? "",
      it.reference,
    ]);
    const columns = [words.currency, words.invoices, words.openAmount];
    const head = [words.debtors, ...columns, words.oldestDue, words.reference];
    const further = debtors.length ? [[], head, ...debtors] : [];
    const rows = [[words.age, ...columns], ...ages, ...further];
    saveCsv(`${words.files[side]}_${figures.today}`, rows, warning);
  };
}

function ReceivablesTotals({ figures }: { figures: Overview }) {
  const words = useWords(FINANCE);
  const { amount, number, percent } = useFormats();
  const [euros] = figures.receivables;
  const { dso } = figures;
  const money = (value: string) => amount(Number(value), "EUR");
  const share = Math.round(100 * Number(euros?.overdue) / Number(euros?.total));
  // Credit notes that are not due yet lower the total only, so that more than all of it may be overdue.
  const isShare = Number(euros?.total) > 0 && share <= 100;
  const open = { role: "seller", open: "true", currency: "EUR" };
  const overdueTo = euros?.ages.find((it) => it.age === "1-30")?.dueTo;
  return (
    <SimpleGrid className="ps-kpis" cols={{ base: 2, sm: 3 }} spacing={{ base: "xs", sm: "md" }}>
      <Kpi
        label={words.openAmount}
        value={money(euros?.total ?? "0")}
        href={listInvoices(open)}
      >
        {words.countOf(number(euros?.invoices ?? 0))}
      </Kpi>
      <Kpi
        label={words.overdue}
        value={money(euros?.overdue ?? "0")}
        href={listInvoices({ ...open, dueTo: overdueTo })}
      >
        {isShare && words.shareOfOpen(percent(share))}
      </Kpi>
      <Kpi label={words.dso} value={dso.days === null ? NO_FIGURE : words.days(number(dso.days))}>
        {dso.days === null
          ? Number(dso.sales) > 0 ? words.creditExceeds : words.noDso
          : words.dsoFormula(money(dso.receivables), money(dso.sales), number(dso.periodDays))}
      </Kpi>
    </SimpleGrid>
  );
}

/** Open amounts by age: EUR as a drawing and a table, other currencies as tables. */
function Aged({ role, balances }: { role: Role; balances: readonly Balance[] }) {
  const words = useWords(FINANCE);
  const shown = balances.filter((it) => it.invoices > 0);
  if (shown.length === 0) return <Nothing>{words.none}</Nothing>;
  return (
    <Stack gap="md">
      {shown.map((it) => <AgesOf key={it.currency} role={role} balance={it} />)}
    </Stack>
  );
}

function AgesOf({ role, balance }: { role: Role; balance: Balance }) {
  const words = useWords(FINANCE);
  const { amount, number } = useFormats();
  const { currency, ages } = balance;
  const list = ({ dueFrom, dueTo }: Age) =>
    listInvoices({ role, open: "true", currency, dueFrom, dueTo, sort: "dueDate asc" });
  const columns: readonly RecordColumn<Age>[] = [
    { key: "age", label: words.age, cell: (it) => words.ages[it.age] },
    {
      key: "invoices",
      label: words.invoices,
      isRight: true,
      isWide: true,
      cell: (it) => it.invoices > 0 && number(it.invoices),
    },
    {
      key: "amount",
      label: words.openAmount,
      isRight: true,
      cell: (it) => {
        const sum = amount(Number(it.amount), currency);
        return it.invoices > 0 ? <Count href={list(it)}>{sum}</Count> : NO_FIGURE;
      },
    },
  ];
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" className="ps-one-line">
      <Table
        title={formatNamed(words.totalIn(currency), amount(Number(balance.total), currency))}
      >
        <Records
          label={words.agedOf(
            role === "seller" ? words.receivables : words.payables,
            currency,
          )}
          columns={columns}
          rows={ages}
          keyOf={(it) => it.age}
          empty={null}
        />
      </Table>
      <AgeBars balance={balance} />
    </SimpleGrid>
  );
}

const noLines = () => [];

function AgeBars({ balance: { currency, ages } }: { balance: Balance }) {
  const words = useWords(FINANCE);
  const language = useLanguage();
  const drawing = useMemo(() =>
    toBars({
      title: words.age,
      language,
      currency,
      categories: ages.map((it) => words.ages[it.age]),
      series: [{ name: words.openAmount, values: ages.map((it) => Number(it.amount)) }],
    }), [ages, currency, language]);
  if (ages.filter((it) => Number(it.amount) !== 0).length < 2) return null;
  return (
    <Box h={240} visibleFrom="md" className="ps-chart-box">
      <Suspense fallback={<div aria-busy="true" />}>
        <EChart drawing={drawing} tooltipLines={noLines} />
      </Suspense>
    </Box>
  );
}

function Debtors({ figures }: { figures: Overview }) {
  const words = useWords(FINANCE);
  const { amount, day, number } = useFormats();
  const list = ({ reference, name }: Debtor) =>
    listInvoices({ role: "seller", open: "true", currency: "EUR", customer: reference || name });
  const isAmbiguous = ({ name }: Debtor) =>
    name !== "" && figures.debtors.filter((it) => it.name === name).length > 1;
  const columns: readonly RecordColumn<Debtor>[] = [
    {
      key: "customer",
      label: words.customer,
      cell: (it) => (
        <>
          <Text size="sm" className="ps-wrap">{it.name || it.reference}</Text>
          {isAmbiguous(it) && <Text size="xs" c="dimmed">{it.reference}</Text>}
        </>
      ),
    },
    {
      key: "invoices",
      label: words.invoices,
      isRight: true,
      isWide: true,
      cell: (it) => number(it.invoices),
    },
    {
      key: "amount",
      label: words.openAmount,
      isRight: true,
      cell: (it) => <Count href={list(it)}>{amount(Number(it.amount), "EUR")}</Count>,
    },
    {
      key: "oldest",
      label: words.oldestDue,
      isRight: true,
      isWide: true,
      cell: (it) => day(it.oldestDue),
    },
  ];
  return (
    <Box className="ps-one-line">
      <Table title={words.debtors}>
        <Records
          label={words.debtors}
          columns={columns}
          rows={figures.debtors}
          keyOf={(it) => `${it.reference} ${it.name}`}
          empty={<Nothing>{words.noDebtors}</Nothing>}
        />
      </Table>
    </Box>
  );
}
