import { Anchor, Box, Text, Title } from "@mantine/core";
import { Link } from "wouter";
import type { components } from "../../api/schema.d.ts";
import { type RecordColumn, Records } from "../../components/records.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { issuedIn, listInvoices } from "./links.ts";
import { Nothing } from "./nothing.tsx";
import type { PeriodVat } from "./report.ts";
import { FINANCE } from "./words.ts";

type Side = components["schemas"]["VatSide"];
type Line = components["schemas"]["VatLine"];
type Treatment = Line["treatment"];

/** Row of the table: a line, VAT stated by invoices in another currency, or the total. */
interface Row {
  readonly key: string;
  readonly name: string;
  readonly rate: string;
  /** VAT category, shown on hover. */
  readonly category?: string;
  readonly invoices: number | undefined;
  readonly base: string | undefined;
  readonly vat: string;
  readonly onReceipt?: string;
  readonly href: string | undefined;
  readonly isTotal?: boolean;
}

/** VAT of one side by treatment and rate. Each number of invoices opens their list. */
export function SideTable({ role, side, report }: {
  role: "buyer" | "seller";
  side: Side;
  report: PeriodVat;
}) {
  const words = useWords(FINANCE);
  const title = role === "seller" ? words.salesTable : words.purchasesTable;
  const rows = useRows({ role, side, report });
  const hasReceipts = side.lines.some((it) => Number(it.vatOnReceipt) !== 0);
  const columns = useColumns(report.currency).filter((it) => hasReceipts || it.key !== "receipt");
  return (
    <Box>
      <Title order={3} size="h5" mb="xs">{title}</Title>
      <Records
        label={title}
        columns={columns}
        rows={rows.length > 1 ? rows : []}
        keyOf={(it) => it.key}
        empty={<Nothing>{words.noLines}</Nothing>}
      />
    </Box>
  );
}

function useRows({ role, side, report }: {
  role: "buyer" | "seller";
  side: Side;
  report: PeriodVat;
}): readonly Row[] {
  const words = useWords(FINANCE);
  const { percent } = useFormats();
  const common = { role, counted: "true", ...issuedIn(report) };
  const nameOf = (treatment: Treatment, isInTotal: boolean) =>
    isInTotal ? words.treatments[treatment] : `${words.treatments[treatment]} (${words.apart})`;
  const toRow = (it: Line): Row => ({
    key: `${it.treatment} ${it.category} ${it.rate}`,
    name: nameOf(it.treatment, it.isInTotal),
    rate: writeRate(it, { percent, categories: words.categories }),
    category: it.category,
    invoices: it.invoices,
    base: it.base,
    vat: it.vat,
    onReceipt: it.vatOnReceipt,
    href: listInvoices({
      ...common,
      currency: report.currency,
      treatment: it.treatment,
      vat: `${it.category}-${it.rate}`,
    }),
  });
  const stated = side.foreign.filter((it) => it.isInTotal && it.statedInvoices > 0).map((it) => ({
    key: `${it.treatment} ${it.currency}`,
    name: `${words.treatments[it.treatment]} · ${words.stated(it.currency)}`,
    rate: "",
    invoices: it.statedInvoices,
    base: undefined,
    vat: it.statedVat,
    href: listInvoices({ ...common, currency: it.currency, treatment: it.treatment }),
  }));
  const total: Row = {
    key: "total",
    name: words.total,
    rate: "",
    invoices: undefined,
    base: side.base,
    vat: side.vat,
    onReceipt: side.vatOnReceipt,
    href: undefined,
    isTotal: true,
  };
  return [
    ...side.lines.filter((it) => it.isInTotal).map(toRow),
    ...stated,
    total,
    ...side.lines.filter((it) => !it.isInTotal).map(toRow),
  ];
}

/** Writes a rate, or the name of a category without one. */
export function writeRate(
  { category, rate }: Pick<Line, "category" | "rate">,
  { percent, categories }: {
    readonly percent: (value: number) => string;
    readonly categories: Readonly<Record<string, string>>;
  },
): string {
  const name = categories[category];
  if (name && Number(rate) === 0) return name;
  return name ? `${name} ${percent(Number(rate))}` : percent(Number(rate));
}

function useColumns(currency: string): readonly RecordColumn<Row>[] {
  const words = useWords(FINANCE);
  const { amount, number } = useFormats();
  const money = (value: string | undefined, { isTotal }: Row) =>
    value !== undefined && (
      <Text span size="sm" fw={isTotal ? 650 : 400} className="ps-number">
        {amount(Number(value), currency)}
      </Text>
    );
  return [
    {
      key: "treatment",
      label: words.treatment,
      cell: (it) => <Text span size="sm" fw={it.isTotal ? 650 : 400}>{it.name}</Text>,
    },
    {
      key: "rate",
      label: words.rate,
      cell: (it) => it.rate && <Text span size="sm" title={it.category}>{it.rate}</Text>,
    },
    {
      key: "invoices",
      label: words.invoices,
      isRight: true,
      cell: (it) =>
        it.href && it.invoices !== undefined && (
          <Anchor component={Link} href={it.href} size="sm" className="ps-number">
            {number(it.invoices)}
          </Anchor>
        ),
    },
    { key: "base", label: words.base, isRight: true, cell: (it) => money(it.base, it) },
    { key: "vat", label: words.vatAmount, isRight: true, cell: (it) => money(it.vat, it) },
    {
      key: "receipt",
      label: words.onReceipt,
      isRight: true,
      cell: (it) =>
        money(Number(it.onReceipt ?? 0) === 0 && !it.isTotal ? undefined : it.onReceipt, it),
    },
  ];
}
