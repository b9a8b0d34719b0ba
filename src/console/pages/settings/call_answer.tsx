import { Box, Stack, Text } from "@mantine/core";
import type { ApiProblem } from "../../api/problem.ts";
import type { components } from "../../api/schema.d.ts";
import { Fields } from "../../components/fields.tsx";
import { LongText } from "../../components/long_text.tsx";
import { Records } from "../../components/records.tsx";
import { useShowMore } from "../../components/show_more.tsx";
import { useFormats, useLanguage, useWords } from "../../i18n/language.ts";
import { formatCell, type Look, NUMBERS } from "../apps/cells.tsx";
import { CONNECTOR } from "./connector_words.ts";

type Rows = components["schemas"]["QueryRows"];
type Written = components["schemas"]["QueryWritten"];
type OfEndpoint = components["schemas"]["EndpointAnswer"];
export type ConnectorAnswer = Rows | Written | OfEndpoint;

/** Status, duration and body of an answer that the endpoint refuses; empty for other problems. */
export function Refused({ problem }: { problem: ApiProblem | null }) {
  const words = useWords(CONNECTOR);
  const { number } = useFormats();
  const { upstream_status: status, duration_ms: duration, answer } = problem?.details ?? {};
  if (typeof answer !== "string") return null;
  return (
    <Stack gap="xs">
      <Fields
        of={[
          [words.status, `${String(status)} ✗`],
          [words.duration, `${number(Number(duration))} ms`],
        ]}
      />
      <Body text={answer} />
    </Stack>
  );
}

/** Answer of a call: rows as a table, anything else as raw text. */
export function Answered({ answer, label }: { answer: ConnectorAnswer; label: string }) {
  return "metadata" in answer
    ? <RowsAnswered answer={answer} label={label} />
    : <EndpointAnswered answer={answer} label={label} />;
}

function RowsAnswered({ answer, label }: { answer: Rows | Written; label: string }) {
  const words = useWords(CONNECTOR);
  const { number } = useFormats();
  const { items, metadata, hasMore } = answer;
  const said = "affected" in answer
    ? [words.affected(number(answer.affected)), answer.dry_run ? words.takenBack : ""]
    : [words.rows(number(items.length)), hasMore ? words.more : ""];
  return (
    <Stack gap="xs">
      <Text size="sm" role="status">{said.filter(Boolean).join(" · ")}</Text>
      <RowTable label={label} columns={metadata} rows={items} />
    </Stack>
  );
}

function EndpointAnswered({ answer, label }: { answer: OfEndpoint; label: string }) {
  const words = useWords(CONNECTOR);
  const { number } = useFormats();
  const { items, data, outputs, value } = answer;
  const rows =
    items?.filter((it): it is Record<string, unknown> => typeof it === "object" && it !== null) ??
      [];
  const names = [...new Set(rows.flatMap((it) => Object.keys(it)))];
  return (
    <Stack gap="xs">
      <Fields
        of={[
          [words.status, `${answer.status} ${answer.ok ? "✓" : "✗"}`],
          [words.duration, `${number(answer.duration_ms)} ms`],
          [words.cached, answer.cached ? words.yes : words.no],
          ...Object.entries(outputs).map(([name, it]) => [name, formatText(it)] as const),
          ["value", value === undefined ? undefined : formatText(value)],
        ]}
      />
      {rows.length > 0 && (
        <RowTable label={label} columns={names.map((name) => ({ name }))} rows={rows} />
      )}
      <Body text={typeof data === "string" ? data : JSON.stringify(data ?? null, null, 2)} />
    </Stack>
  );
}

/** Body of an answer as raw text. */
function Body({ text }: { text: string }) {
  const words = useWords(CONNECTOR);
  return (
    <Box
      ff="monospace"
      role="region"
      aria-label={words.answer}
      tabIndex={0}
      fz={12.5}
      m={0}
      p="xs"
      mah={400}
      bd="1px solid var(--ps-border)"
      style={{ overflow: "auto", whiteSpace: "pre-wrap" }}
    >
      <LongText text={text} />
    </Box>
  );
}

interface Numbered {
  readonly row: Readonly<Record<string, unknown>>;
  readonly at: number;
}

/** Rows shown at first, so that the trial below stays in view. */
const SHOWN = 10;
const NEXT = 1_000;
/** Characters of a value that stays in one line. */
const ONE_LINE = 40;
const LOOKS: Readonly<Record<string, Look>> = {
  decimal: { format: { minimum_fraction_digits: 2 } },
};

function RowTable({ label, columns, rows }: {
  label: string;
  columns: readonly { readonly name: string; readonly type?: string }[];
  rows: readonly Readonly<Record<string, unknown>>[];
}) {
  const words = useWords(CONNECTOR);
  const language = useLanguage();
  const { count, more } = useShowMore(rows.length, {
    first: SHOWN,
    next: NEXT,
    words: { more: words.moreRows },
  });
  const numbered = rows.slice(0, count).map((row, at) => ({ row, at }));
  return (
    <>
      <Records<Numbered>
        label={label}
        rows={numbered}
        keyOf={(it) => it.at}
        empty={<Text size="sm" c="dimmed">{words.noRows}</Text>}
        columns={columns.map(({ name, type = "" }) => ({
          key: name,
          label: name,
          isRight: NUMBERS.has(type),
          cell: ({ row }) => {
            const text = formatCell(row[name], { type, ...LOOKS[type] }, { language });
            if (text === "") return ""; // cards hide empty values
            return text.length <= ONE_LINE ? <span className="ps-number">{text}</span> : text;
          },
        }))}
      />
      {more}
    </>
  );
}

const formatText = (value: unknown): string =>
  value === null || value === undefined
    ? ""
    : typeof value === "object"
    ? JSON.stringify(value)
    : String(value);
