import { Button, Code, Group, Paper, Stack, Text } from "@mantine/core";
import type { components } from "../../api/schema.d.ts";
import { Mark, type Tone } from "../../components/mark.tsx";
import { Markdown, Rows } from "../../components/markdown.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { ASSISTANT } from "./words.ts";

type Result = components["schemas"]["AiToolResult"];
type TextPart = components["schemas"]["AiText"];

/** A call as its user sees it; of a shared conversation less is known. */
export interface ShownCall {
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
  readonly parts: readonly (TextPart | ShownCall)[];
  readonly finish_reason?: components["schemas"]["AiMessage"]["finish_reason"];
}

interface Deciding {
  /** What tools are called, by their names. */
  readonly titles?: ReadonlyMap<string, string>;
  /** Undefined where nothing can be decided now. */
  readonly onDecide?: ((id: string, decision: "allow" | "deny") => void) | undefined;
}

/** What was said, oldest first. All of it is text, whatever it says. */
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

const TONES: Readonly<Record<ShownCall["state"], Tone>> = {
  pending_approval: "warning",
  running: "busy",
  succeeded: "good",
  failed: "bad",
  denied: "calm",
};

/** Folded, unless its user has to decide: then it is open, since it runs exactly as it is shown. */
function ToolCall({ call, titles, onDecide }: Deciding & { call: ShownCall }) {
  const words = useWords(ASSISTANT);
  const { number } = useFormats();
  const { id, tool, state, result, error, duration_ms: took } = call;
  /** A call that changes something answers how much, most often without a row. */
  const counted = ({ about, row_count: rows }: Result) =>
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
            {result && <Text span size="xs" c="dimmed">{counted(result)}</Text>}
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

function Answered({ result }: { result: Result }) {
  const words = useWords(ASSISTANT);
  if (result.columns.length === 0 && !result.about) return null;
  return (
    <>
      <Text size="xs" c="dimmed" mt="xs">{words.result}</Text>
      {result.columns.length > 0 && (
        <Rows
          head={result.columns.map((name) => ({ name }))}
          rows={result.rows.map((row) => row.map(textOf))}
        />
      )}
      {result.about && <Code block tabIndex={0}>{JSON.stringify(result.about, null, 2)}</Code>}
      {result.truncated && <Text size="xs" c="dimmed">{words.truncated}</Text>}
    </>
  );
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
