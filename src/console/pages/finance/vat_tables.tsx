import { Anchor, Box, Stack, Text, Title } from "@mantine/core";
import { lazy, type ReactNode, Suspense, useMemo } from "react";
import { Link } from "wouter";
import { type RecordColumn, Records } from "../../components/records.tsx";
import { Status } from "../../components/status.tsx";
import { useFormats, useLanguage, useWords } from "../../i18n/language.ts";
import { toBars } from "./bars.ts";
import { issuedIn, listInvoices } from "./links.ts";
import { usePeriod } from "./period.ts";
import type { PeriodVat } from "./report.ts";
import { FINANCE } from "./words.ts";

const EChart = lazy(() => import("../apps/charts/echart.tsx"));

type Month = PeriodVat["months"][number];
type Uncounted = PeriodVat["uncounted"][number];
type Foreign = PeriodVat["sales"]["foreign"][number] & { readonly role: "buyer" | "seller" };

/** VAT by month, drawn and as a table; a month opens its own figures. */
export function MonthTable({ report }: { report: PeriodVat }) {
  const words = useWords(FINANCE);
  const { amount } = useFormats();
  const { chooseDays } = usePeriod();
  const monthName = useMonthName();
  const money = (value: string) => amount(Number(value), report.currency);
  const columns: readonly RecordColumn<Month>[] = [
    {
      key: "month",
      label: words.month,
      cell: ({ month }) => (
        <Anchor
          component="button"
          size="sm"
          onClick={() => chooseDays(daysOf(month))}
        >
          {monthName(month)}
        </Anchor>
      ),
    },
    right("salesBase", words.salesBase, (it) => money(it.sales.base)),
    right("collected", words.collected, (it) => money(it.sales.vat)),
    right("purchasesBase", words.purchasesBase, (it) => money(it.purchases.base)),
    right("deductible", words.deductible, (it) => money(it.purchases.vat)),
    right("balance", words.difference, (it) => money(it.balance)),
  ];
  return (
    <Table title={words.months}>
      <MonthBars report={report} />
      <Records
        label={words.months}
        columns={columns}
        rows={report.months}
        keyOf={(it) => it.month}
        empty={null}
      />
    </Table>
  );
}

function MonthBars({ report }: { report: PeriodVat }) {
  const words = useWords(FINANCE);
  const language = useLanguage();
  const monthName = useMonthName("short");
  const drawing = useMemo(() =>
    toBars({
      title: words.vatByMonth,
      language,
      currency: report.currency,
      categories: report.months.map((it) => monthName(it.month)),
      series: [
        { name: words.collected, values: report.months.map((it) => Number(it.sales.vat)) },
        { name: words.deductible, values: report.months.map((it) => Number(it.purchases.vat)) },
      ],
    }), [report, language]);
  return (
    <Box h={260} mb="sm" className="ps-chart-box">
      <Suspense fallback={<div aria-busy="true" />}>
        <EChart drawing={drawing} tooltipLines={noLines} />
      </Suspense>
    </Box>
  );
}

const noLines = () => [];

/** Invoices in other currencies, apart from all totals. */
export function ForeignTable({ report }: { report: PeriodVat }) {
  const words = useWords(FINANCE);
  const { amount, number } = useFormats();
  const rows: readonly Foreign[] = [
    ...report.sales.foreign.map((it) => ({ ...it, role: "seller" as const })),
    ...report.purchases.foreign.map((it) => ({ ...it, role: "buyer" as const })),
  ];
  const list = ({ role, currency, treatment }: Foreign) =>
    listInvoices({ role, counted: "true", currency, treatment, ...issuedIn(report) });
  const columns: readonly RecordColumn<Foreign>[] = [
    {
      key: "side",
      label: words.side,
      cell: (it) => it.role === "seller" ? words.sales : words.purchases,
    },
    {
      key: "treatment",
      label: words.treatment,
      cell: (it) =>
        it.isInTotal
          ? words.treatments[it.treatment]
          : `${words.treatments[it.treatment]} (${words.apart})`,
    },
    { key: "currency", label: words.currency, cell: (it) => it.currency },
    {
      key: "invoices",
      label: words.invoices,
      isRight: true,
      cell: (it) => <Count href={list(it)}>{number(it.invoices)}</Count>,
    },
    right("base", words.base, (it) => amount(Number(it.base), it.currency)),
    right("vat", words.vatAmount, (it) => amount(Number(it.vat), it.currency)),
    right(
      "stated",
      words.statedVat,
      (it) => it.statedInvoices > 0 ? amount(Number(it.statedVat), report.currency) : "–",
    ),
  ];
  return (
    <Table title={words.foreign} hint={words.foreignHint}>
      <Records
        label={words.foreign}
        columns={columns}
        rows={rows}
        keyOf={(it) => `${it.role} ${it.currency} ${it.treatment}`}
        empty={null}
      />
    </Table>
  );
}

/** Invoices of the period that are in no figure, by status. */
export function UncountedTable({ report }: { report: PeriodVat }) {
  const words = useWords(FINANCE);
  const { amount, number } = useFormats();
  const list = ({ role, currency, status }: Uncounted) =>
    listInvoices({ role, currency, status, ...issuedIn(report) });
  const columns: readonly RecordColumn<Uncounted>[] = [
    {
      key: "side",
      label: words.side,
      cell: (it) => it.role === "seller" ? words.sales : words.purchases,
    },
    {
      key: "status",
      label: words.status,
      cell: (it) => <Status code={it.status} label={it.statusLabel} labelEn={it.statusLabelEn} />,
    },
    {
      key: "invoices",
      label: words.invoices,
      isRight: true,
      cell: (it) => <Count href={list(it)}>{number(it.invoices)}</Count>,
    },
    right("base", words.base, (it) => amount(Number(it.base), it.currency)),
    right("vat", words.vatAmount, (it) => amount(Number(it.vat), it.currency)),
  ];
  return (
    <Table title={words.uncounted} hint={words.uncountedHint}>
      <Records
        label={words.uncounted}
        columns={columns}
        rows={report.uncounted}
        keyOf={(it) => `${it.role} ${it.status} ${it.currency}`}
        empty={null}
      />
    </Table>
  );
}

/** Table with a title and a sentence. */
export function Table({ title, hint, children }: {
  title: string;
  hint?: string;
  children: ReactNode;
}) {
  return (
    <Box>
      <Title order={3} size="h5" mb={hint ? 2 : "xs"}>{title}</Title>
      {hint && <Text size="sm" c="dimmed" mb="xs">{hint}</Text>}
      <Stack gap="xs">{children}</Stack>
    </Box>
  );
}

/** Number of invoices that opens their list. */
export function Count({ href, children }: { href: string; children: ReactNode }) {
  return <Anchor component={Link} href={href} size="sm" className="ps-number">{children}</Anchor>;
}

/** Returns a column of amounts. */
export function right<Row>(
  key: string,
  label: string,
  write: (row: Row) => string,
): RecordColumn<Row> {
  const cell = (row: Row) => <span className="ps-number">{write(row)}</span>;
  return { key, label, isRight: true, cell };
}

function daysOf(month: string) {
  const [year = 0, number = 1] = month.split("-").map(Number);
  const last = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return { from: `${month}-01`, to: `${month}-${last}` };
}

function useMonthName(style: "long" | "short" = "long") {
  const language = useLanguage();
  const format = new Intl.DateTimeFormat(language === "fr" ? "fr-FR" : "en-GB", {
    month: style,
    year: "numeric",
    timeZone: "UTC",
  });
  return (month: string) => format.format(new Date(`${month}-01T00:00:00Z`));
}
