import { Box, Text, Timeline, Title } from "@mantine/core";
import { useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { LongText } from "../long_text.tsx";
import { Empty, ProblemNote } from "../notes.tsx";
import { isPlainNumber } from "../number_text.ts";
import { Status } from "../status.tsx";
import { who } from "../who.ts";
import { toPlainReason } from "../plain_reason.ts";
import { BlockedMark } from "./attention.tsx";
import { useBlocked } from "./blocked.ts";
import {
  defineWords,
  formatNamed,
  useFormats,
  useLanguage,
  useWords,
} from "../../i18n/language.ts";
import { isDayOnly, usePaymentName, usePaymentNames } from "./paid.ts";
import { useToldAs } from "./told.tsx";
import { INVOICE } from "./words.ts";

type Invoice = components["schemas"]["InvoiceFields"];
type Event = components["schemas"]["Lifecycle"]["events"][number];

const COPY = defineWords({
  en: {
    name: "Second copy refused",
    hint: "The platform refused a second copy of this invoice. The first one stays valid.",
  },
  fr: {
    name: "Second exemplaire refusé",
    hint: "La plateforme a refusé un second exemplaire de cette facture. Le premier reste valable.",
  },
});

/** Rejected by the platform, and sending failed. */
const FAILED: readonly string[] = ["213", "9904"];
/** Rejected by the checks, with the codes of the rules as its message. */
const REJECTED = "9907";

/** Events of the invoice, newest first, with date, author and reason. */
export function History({ invoice, id }: { invoice: Invoice; id: string }) {
  const words = useWords(INVOICE);
  const { day, moment } = useFormats();
  const language = useLanguage();
  const { data, error, refetch } = useRead("/api/invoices/{id}/lifecycle", { path: { id } });
  const submission = useBlocked(id, invoice.direction === "issued");
  const copy = useWords(COPY);
  const getNames = usePaymentNames(invoice);
  const names = getNames(data?.events ?? []);
  const events = (data?.events ?? []).map((it, at) => ({ ...it, ...names[at] })).reverse();
  return (
    <>
      <ProblemNote problem={error} retry={() => void refetch()} />
      {data && events.length === 0 && <Empty icon="clock" title={words.noHistory} />}
      <Timeline active={events.length} bulletSize={14} lineWidth={2} mt="xs">
        {submission && (
          <Timeline.Item title={<BlockedMark />}>
            <Text size="xs" c="dimmed">
              {moment(submission.updatedAt)} · {words.by} {SOURCES[language]["pipeline"]}
            </Text>
            {submission.lastError && <LongText text={toPlainReason(submission.lastError)} />}
          </Timeline.Item>
        )}
        {events.map((it) => (
          <Timeline.Item
            key={it.sequence}
            title={
              <Status
                code={it.statusCode}
                label={it.statusLabel}
                labelEn={it.statusLabelEn}
                name={isRefusedCopy(it, invoice) ? copy.name : it.name}
                {...it.tone && { tone: it.tone }}
              />
            }
          >
            <Text size="xs" c="dimmed">
              {it.amounts.length > 0 && isDayOnly(it.createdAt)
                ? day(it.createdAt)
                : moment(it.createdAt)} · {words.by}{" "}
              {SOURCES[language][it.source] ?? who(it.source.replace(/^operator:/, ""))}
            </Text>
            {it.message && (
              <LongText
                text={it.statusCode === REJECTED
                  ? formatNamed(words.rules, it.message)
                  : toPlainReason(it.message)}
              />
            )}
            {isRefusedCopy(it, invoice) && <Text size="sm">{copy.hint}</Text>}
            <Paid amounts={it.amounts} />
            {it.reasonCode && <Reason code={it.reasonCode} />}
          </Timeline.Item>
        ))}
      </Timeline>
      <StatusMessages invoice={invoice} id={id} />
    </>
  );
}

/** Names a second copy, which the platform refused while the first one stayed valid. */
function isRefusedCopy({ statusCode, reasonCode }: Event, { status }: Invoice): boolean {
  return statusCode === "213" && reasonCode === "DOUBLON" && !FAILED.includes(status);
}

/** Paid amounts. A PA may send any text; text that is no number is shown unchanged. */
function Paid({ amounts }: { amounts: readonly components["schemas"]["PaidAmount"][] }) {
  const words = useWords(INVOICE);
  const { amount, percent } = useFormats();
  return amounts.map((it, at) => (
    <Text key={at} size="sm" className="ps-wrap">
      {words.paid(
        isPlainNumber(it.amount)
          ? amount(Number(it.amount), it.currency)
          : `${it.amount} ${it.currency}`,
        isPlainNumber(it.rate) ? percent(Number(it.rate)) : it.rate,
      )}
    </Text>
  ));
}

/** Sources of events other than people. */
const SOURCES: Readonly<Record<"en" | "fr", Readonly<Record<string, string>>>> = {
  en: { pa: "the PA", pipeline: "the processing" },
  fr: { pa: "la PA", pipeline: "le traitement" },
};

function Reason({ code }: { code: string }) {
  const words = useWords(INVOICE);
  const { data } = useRead("/api/catalogues/{name}", { path: { name: "reasons" } });
  const label = data?.items.find((it) => it.code === code)?.label;
  return <Text size="sm">{formatNamed(words.reason, label ? `${label} (${code})` : code)}</Text>;
}

/** Statuses sent to the PA in our name, with their delivery. */
function StatusMessages({ invoice, id }: { invoice: Invoice; id: string }) {
  const words = useWords(INVOICE);
  const toldAs = useToldAs();
  const getPayment = usePaymentName(invoice);
  const { moment } = useFormats();
  const { data } = useRead("/api/invoices/{id}/status-messages", { path: { id } });
  if (!data?.messages.length) return null;
  return (
    <Box mt="xl">
      <Title order={2} size="h4" mb="xs">{words.messages}</Title>
      {data.messages.map((it) => (
        <Box key={it.id} mb="sm">
          <Text size="sm" fw={600}>{toldAs(it, getPayment(it.status, it.amounts))}</Text>
          <Text size="xs" c="dimmed">
            {moment(it.createdAt)} · {words.by} {who(it.createdBy)}
          </Text>
          {it.state !== "taken" && <Paid amounts={it.amounts} />}
          {it.lastError && <LongText text={toPlainReason(it.lastError)} />}
        </Box>
      ))}
    </Box>
  );
}
