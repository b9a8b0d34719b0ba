import { Button, Code, Group, Paper, Stack, Text } from "@mantine/core";
import type { components } from "../../api/schema.d.ts";
import { Mark, type Tone } from "../../components/mark.tsx";
import Markdown from "../../components/markdown.tsx";
import { Records } from "../../components/records.tsx";
import { useShowMore } from "../../components/show_more.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { ASSISTANT } from "./words.ts";

type Result = components["schemas"]["AiToolResult"];
type TextPart = components["schemas"]["AiText"];

/** Tool call as its user sees it; a shared conversation has fewer fields. */
export interface ToolCallView {
  readonly type: "tool_call";
  readonly id?: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly state: "pending_approval" | "running" | "succeeded" | "failed" | "denied";
  readonly result: Result | null;
  readonly error?: string | null;
  readonly duration_ms?: number | null;
}

export interface ShownMessage {
  readonly id?: string;
  readonly role: "user" | "assistant";
  readonly parts: readonly (TextPart | ToolCallView)[];
  readonly finish_reason?: components["schemas"]["AiMessage"]["finish_reason"];
}

interface Deciding {
  /** Titles of tools by name. */
  readonly titles?: ReadonlyMap<string, string>;
  /** Undefined while nothing can be decided. */
  readonly onDecide?: ((id: string, decision: "allow" | "deny") => void) | undefined;
}

/** Messages, oldest first. Their content is only ever shown as text. */
export function Messages({ messages, label, isBusy = false, ...deciding }: Deciding & {
  messages: readonly ShownMessage[];
  label: string;
  isBusy?: boolean;
}) {
  return (
    <Stack gap="md" role="log" aria-label={label} aria-busy={isBusy}>
      {messages.map((it, at) => <One key={it.id ?? at} message={it} {...deciding} />)}
    </Stack>
  );
}

function One({ message, ...deciding }: Deciding & { message: ShownMessage }) {
  const words = useWords(ASSISTANT);
  const isOwn = message.role === "user";
  const isSilent = message.finish_reason === "stop" &&
    message.parts.every((it) => it.type === "text" && it.text.trim() === "");
  const early = isSilent
    ? words.silent
    : words.early[message.finish_reason as keyof typeof words.early];
  return (
    <article className="ps-said" data-role={message.role}>
      <Text size="xs" c="dimmed" fw={600}>{isOwn ? words.you : words.assistant}</Text>
      {message.parts.map((it, at) => {
        if (it.type === "tool_call") return <ToolCall key={it.id ?? at} call={it} {...deciding} />;
        return isOwn
          ? <Text key={at} className="ps-asked">{it.text}</Text>
          : <Markdown key={at} text={it.text} />;
      })}
      {early && <Text size="xs" c="dimmed">{early}</Text>}
    </article>
  );
}

const TONES: Readonly<Record<ToolCallView["state"], Tone>> = {
  pending_approval: "warning",
  running: "busy",
  succeeded: "good",
  failed: "bad",
  denied: "calm",
};

/** Tool call, collapsed. It is open while its user must decide, since it runs exactly as shown. */
function ToolCall({ call, titles, onDecide }: Deciding & { call: ToolCallView }) {
  const words = useWords(ASSISTANT);
  const { number } = useFormats();
  const { id, tool, state, result, error, duration_ms: took } = call;
  /** Returns the number of affected rows for a change, else of rows returned. */
  const count = ({ about, row_count: rows }: Result) =>
    typeof about?.["affected"] === "number"
      ? words.changed(number(about["affected"]))
      : words.rows(number(rows));
  const waits = state === "pending_approval";
  return (
    <Paper withBorder p="xs" my="xs" className="ps-call">
      <details open={waits}>
        <summary>
          <Group gap="sm" display="inline-flex" className="ps-call-head">
            <Text span size="sm" fw={600} className="ps-wrap">{titles?.get(tool) ?? tool}</Text>
            <Mark tone={TONES[state]}>{words.states[state]}</Mark>
            {typeof took === "number" && <Text span size="xs" c="dimmed">{number(took)} ms</Text>}
            {result && <Text span size="xs" c="dimmed">{count(result)}</Text>}
          </Group>
        </summary>
        <Text size="xs" c="dimmed" mt="xs">{words.arguments}</Text>
        <Code block tabIndex={0}>{JSON.stringify(call.arguments, null, 2)}</Code>
        {error && <Text size="sm" mt="xs" className="ps-wrap">{error}</Text>}
        {result && <Answered result={result} />}
      </details>
      {waits && id !== undefined && onDecide && (
        <Group gap="xs" mt="xs">
          <Text size="sm" flex={1} miw={200}>{words.approve}</Text>
          <Group gap="xs">
            <Button size="xs" onClick={() => onDecide(id, "allow")}>{words.allow}</Button>
            <Button size="xs" variant="default" onClick={() => onDecide(id, "deny")}>
              {words.deny}
            </Button>
          </Group>
        </Group>
      )}
    </Paper>
  );
}

interface Row {
  readonly values: Result["rows"][number];
  readonly at: number;
}

/** Most rows shown at first. */
const SHOWN = 100;

function Answered({ result }: { result: Result }) {
  const words = useWords(ASSISTANT);
  const { count, more } = useShowMore(result.rows.length, { first: SHOWN, words });
  if (result.columns.length === 0 && !result.about) return null;
  return (
    <>
      <Text size="xs" c="dimmed" mt="xs">{words.result}</Text>
      {result.columns.length > 0 && (
        <Records
          label={words.result}
          columns={result.columns.map((label, at) => ({
            key: String(at),
            label,
            cell: (row: Row) => formatText(row.values[at]),
          }))}
          rows={result.rows.slice(0, count).map((values, at) => ({ values, at }))}
          keyOf={(row) => row.at}
          empty={null}
        />
      )}
      {more}
      {result.about && <Code block tabIndex={0}>{JSON.stringify(result.about, null, 2)}</Code>}
      {result.truncated && <Text size="xs" c="dimmed">{words.truncated}</Text>}
    </>
  );
}

function formatText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
