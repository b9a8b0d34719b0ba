import { Anchor, Paper, SimpleGrid, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { components } from "../../api/schema.d.ts";
import { useFormats, useLanguage, useWords } from "../../i18n/language.ts";
import { Coded } from "./coded.tsx";
import { withSign } from "./credit.ts";
import { DETAILS } from "./detail_words.ts";
import { DueDate } from "./due_date.tsx";
import { useLeft } from "./paid.ts";
import { INVOICE, INVOICES } from "./words.ts";

type Invoice = components["schemas"]["InvoiceFields"];
type Details = components["schemas"]["InvoiceDetails"];
type Party = NonNullable<Details["seller"]>;

/** Head of the document: total, days and references, the partner, the own company. */
export function Parties({ invoice, details }: {
  invoice: Invoice;
  details: Details | undefined;
}) {
  const words = useWords(INVOICE);
  const more = useWords(DETAILS);
  const { totalTTC } = useWords(INVOICES);
  const { amount, day } = useFormats();
  const nameCountry = useNameCountry();
  const left = useLeft(invoice);
  const { references, delivery } = details ?? {};
  const isReceived = invoice.direction === "received";
  const list = isReceived ? "/received" : "/invoices";
  const seller = (
    <PartyCard title={words.seller} name={invoice.supplierName} party={details?.seller}>
      {!details?.seller?.siren && <Fact name="SIREN" value={invoice.supplierSiren} />}
    </PartyCard>
  );
  const buyer = (
    <PartyCard title={words.buyer} name={invoice.customerName} party={details?.buyer}>
      <Fact
        name={words.reference}
        value={invoice.customerRef === details?.buyer?.siren ? "" : invoice.customerRef}
      />
    </PartyCard>
  );
  const total = (
    <Card
      title={totalTTC}
      strong={amount(withSign(invoice.invoiceType, invoice.totalTTC), invoice.currency)}
    >
      {invoice.settledAmount !== null && invoice.settledAmount !== 0 && (
        <Fact
          name={left.name}
          value={left.value === null ? "" : amount(left.value, invoice.currency)}
        />
      )}
      <Fact name={words.issueDate} value={day(invoice.issueDate)} />
      <Fact name={words.dueDate} value={invoice.dueDate}>
        <DueDate invoice={invoice} />
      </Fact>
      <Fact name={words.kind} value={invoice.invoiceType}>
        <Coded of="document-types" code={invoice.invoiceType} />
      </Fact>
      <Fact name={words.order} value={getReference(invoice.orderRef)} />
      <Fact name={words.contract} value={getReference(invoice.contractRef)} />
      <Fact name={more.salesOrder} value={references?.salesOrder} />
      <Fact name={more.project} value={references?.project} />
      <Fact name={more.despatch} value={references?.despatchAdvice} />
      <Fact name={more.receiving} value={references?.receivingAdvice} />
      {references?.preceding.map((it) => (
        <Fact key={it} name={more.preceding} value={it}>
          <Anchor
            component={Link}
            href={`${list}?ublNumber=${encodeURIComponent(it)}`}
            size="sm"
          >
            {it}
          </Anchor>
        </Fact>
      ))}
      <Fact name={more.delivered} value={day(delivery?.date ?? "")} />
      <Fact
        name={more.deliveredTo}
        value={delivery &&
          [delivery.name, ...delivery.address.map(nameCountry)].filter(Boolean).join(", ")}
      />
    </Card>
  );
  return (
    <SimpleGrid type="container" cols={{ base: 1, "500px": 2, "900px": 3 }} spacing="md">
      {total}
      {isReceived ? seller : buyer}
      {isReceived ? buyer : seller}
    </SimpleGrid>
  );
}

function PartyCard({ title, name, party, children }: {
  title: string;
  name: string;
  party: Party | null | undefined;
  children: ReactNode;
}) {
  const words = useWords(DETAILS);
  const nameCountry = useNameCountry();
  return (
    <Card title={title} strong={name}>
      {party?.address.map((it, at) => (
        <Text key={at} size="sm" className="ps-wrap">{nameCountry(it)}</Text>
      ))}
      <Fact name="SIREN" value={party?.siren} />
      <Fact name="SIRET" value={party?.siret} />
      <Fact name={words.vatId} value={party?.vatId} />
      <Fact name={words.electronicAddress} value={party?.electronicAddress}>
        <span title={party?.electronicAddress}>{party?.electronicAddress.replace(SCHEME, "")}</span>
      </Fact>
      <Fact name={words.contact} value={party?.contact} />
      {children}
    </Card>
  );
}

/** Returns a line of an address; a country code becomes its name. */
function useNameCountry(): (line: string) => string {
  const language = useLanguage();
  return (line) =>
    COUNTRY.test(line)
      ? new Intl.DisplayNames(language, { type: "region" }).of(line) ?? line
      : line;
}

/** Scheme in front of an electronic address, such as `0225:`. */
const SCHEME = /^[A-Z\d]{2,4}:/;
const COUNTRY = /^[A-Z]{2}$/;
/** Values with which an ERP fills an empty field. */
const NO_VALUE = /^(?:n\/?a|-+|\.)$/i;

/** Returns a reference, or nothing for a value that stands for none. */
const getReference = (text: string | null) => NO_VALUE.test(text ?? "") ? "" : text;

function Card({ title, strong, children }: {
  title: string;
  strong: string;
  children: ReactNode;
}) {
  return (
    <Paper withBorder p="md" className="ps-card">
      <Text size="xs" c="dimmed">{title}</Text>
      <Text fw={650} size="lg" className="ps-wrap" lineClamp={2} title={strong}>
        {strong || "—"}
      </Text>
      {children}
    </Paper>
  );
}

/** Name and value; hidden without a value. `children` shows a value that is more than text. */
export function Fact({ name, value, children = value }: {
  name: string;
  value: string | null | undefined;
  children?: ReactNode;
}) {
  if (!value) return null;
  return (
    <div className="ps-fact">
      {name && <Text span size="sm" c="dimmed">{name}</Text>}
      <Text span size="sm" className="ps-wrap">{children}</Text>
    </div>
  );
}
