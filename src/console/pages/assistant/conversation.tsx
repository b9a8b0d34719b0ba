import { Alert, Anchor, Button, Group, Stack, Text, TextInput, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { ApiProblem } from "../../api/problem.ts";
import { readPath, useChange, useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Confirm } from "../../components/confirm.tsx";
import { NewDialog } from "../../components/forms.tsx";
import { Icon } from "../../components/icon.tsx";
import { ProblemNote } from "../../components/notes.tsx";
import { toast } from "../../components/toasts.tsx";
import { useWords } from "../../i18n/language.ts";
import { Composer } from "./composer.tsx";
import { useFollowedEnd } from "./followed_end.ts";
import { useScrollPosition } from "./kept_place.ts";
import { Messages, type ShownMessage } from "./messages.tsx";
import { Share } from "./share.tsx";
import { CONVERSATION, dismiss, NEW, type RunningTurn, sendTurn, useTurn } from "./turns.ts";
import { ASSISTANT } from "./words.ts";

type Whole = components["schemas"]["AiConversation"];
const TOUCHED = ["/ai/conversations"];
/** Messages per call, and shown at first. */
const PAGE = 100;
const ELSEWHERE_MS = 2_000;

/** One conversation, or a new one. A running turn continues while another conversation is open. */
export function Conversation({ id }: { id: string }) {
  const words = useWords(ASSISTANT);
  const client = useQueryClient();
  const [, go] = useLocation();
  const here = useRef(id);
  here.current = id;
  const [shown, setShown] = useState(PAGE);
  const turn = useTurn(id);
  const { data, error, refetch, isPlaceholderData } = useConversation(id, shown, turn);
  const tools = useRead("/ai/tools");
  const [chosen, choose] = useState<{ readonly of: string; readonly model: string }>();
  const { data: offered } = useRead("/ai/models");
  const models = offered?.models ?? [];
  const wanted = [chosen?.of === id ? chosen.model : undefined, data?.model];
  const model = wanted.find((it) => it !== undefined && models.includes(it));
  const isRunning = turn !== undefined && !turn.isOver;
  const messages = together(data?.messages ?? [], turn);
  const { content, end, follow } = useFollowedEnd(id, isRunning);
  const place = useScrollPosition(content, messages.length);
  const send = (what: Pick<Parameters<typeof sendTurn>[1], "message" | "approvals">) => {
    follow();
    void sendTurn(client, {
      ...what,
      model,
      conversation: id,
      known: [...data?.messages ?? [], ...turn?.messages ?? []].map((it) => it.id),
      onBegun: (begun) => here.current === NEW && go(`/assistant/${begun}`, { replace: true }),
    });
  };
  const unanswered = turn?.unanswered;
  const hasNoModel = offered?.models.length === 0;
  const isElsewhere = !isRunning && data?.turn_under_way === true;
  return (
    <Stack ref={content} gap="md" miw={0}>
      {id !== NEW && (
        <Anchor component={Link} href="/assistant" size="sm" hiddenFrom="md">
          <Group gap={4} component="span">
            <Icon name="back" size={14} />
            {words.all}
          </Group>
        </Anchor>
      )}
      {data && <Head conversation={data} />}
      <ProblemNote problem={error} retry={() => void refetch()} />
      {data && data.offset > 0 && (
        <Button
          variant="subtle"
          size="xs"
          loading={isPlaceholderData}
          onClick={() => {
            place.begin();
            setShown(shown + PAGE);
          }}
        >
          {words.earlier}
        </Button>
      )}
      <Messages
        messages={messages}
        label={words.log}
        isBusy={isRunning}
        titles={new Map((tools.data ?? []).map((it) => [it.name, it.title]))}
        onDecide={isRunning || isElsewhere
          ? undefined
          : (call, decision) => send({ approvals: [{ tool_call_id: call, decision }] })}
      />
      {isRunning && <Text size="sm" c="dimmed" role="status">{words.thinking}</Text>}
      {isElsewhere && <Text size="sm" c="dimmed" role="status">{words.underWay}</Text>}
      {hasNoModel && !turn && <NoModel />}
      {id === NEW && !turn && models.length > 0 && (
        <Group gap="xs" role="group" aria-label={words.examples}>
          {words.questions.map((it) => (
            <Button
              key={it}
              variant="default"
              size="compact-sm"
              onClick={() => send({ message: it })}
            >
              {it}
            </Button>
          ))}
        </Group>
      )}
      <Ended
        problem={turn?.problem}
        hasNoModel={hasNoModel}
        onAgain={unanswered === undefined ? undefined : () => send({ message: unanswered })}
        onClose={() => dismiss(id)}
      />
      <Composer
        key={id}
        id={id}
        isRunning={isRunning}
        models={models}
        model={model}
        onModel={(model) => choose({ of: id, model })}
        onSend={(message) => send({ message })}
        onStop={() => turn?.stop()}
      />
      <div ref={end} />
    </Stack>
  );
}

/** Reads the newest messages. While this page follows a turn, only earlier messages are read on request. */
function useConversation(id: string, shown: number, turn: RunningTurn | undefined) {
  const isFollowed = turn !== undefined && !turn.isOver;
  return useQuery<Whole, ApiProblem>({
    queryKey: [CONVERSATION, id, shown],
    enabled: ({ state }) => id !== NEW && (!isFollowed || shown > PAGE && state.data === undefined),
    // While earlier messages load, the current ones stay.
    placeholderData: (before, of) => of?.queryKey[1] === id ? before : undefined,
    refetchInterval: ({ state }) => state.data?.turn_under_way ? ELSEWHERE_MS : false,
    queryFn: async ({ signal }) => {
      const pageAt = (offset: number, limit: number) =>
        readPath(CONVERSATION, { path: { id }, query: { limit, offset } }, signal);
      const first = await pageAt(0, PAGE);
      const from = Math.max(0, first.message_count - shown);
      if (from === 0 && first.message_count <= PAGE) return first;
      const messages = [];
      for (let at = from; at < first.message_count; at += PAGE) {
        messages.push(...(await pageAt(at, Math.min(PAGE, first.message_count - at))).messages);
      }
      return { ...first, messages, offset: from };
    },
  });
}

/** Merges the messages read with those of the running turn. */
function together(before: Whole["messages"], turn: RunningTurn | undefined): ShownMessage[] {
  if (!turn) return before;
  const known = before.findLastIndex((it) => turn.known.has(it.id)); // earlier messages may have been loaded since
  const isShown = !turn.isOver || turn.asked !== undefined || turn.messages.length > 0;
  const kept = isShown ? before.slice(0, known + 1) : before; // otherwise it would appear twice once it is read
  const said: ShownMessage[] = kept.map((it) => ({
    ...it,
    parts: it.parts.map((part) =>
      part.type === "tool_call" ? turn.changed.get(part.id) ?? part : part
    ),
  }));
  if (turn.asked !== undefined) {
    said.push({ role: "user", parts: [{ type: "text", text: turn.asked }] });
  }
  return [...said, ...turn.messages];
}

/** Note that nothing can answer, with the way to change that. */
function NoModel() {
  const words = useWords(ASSISTANT);
  const may = useMay();
  return (
    <Alert color="yellow" variant="light" role="alert" title={words.unavailable}>
      <Text size="sm">{words.unavailableHint}</Text>
      {may("setup:write") && (
        <Anchor
          component={Link}
          href="/connections/model"
          c="inherit"
          underline="always"
          size="sm"
        >
          {words.setUpModel}
        </Anchor>
      )}
    </Alert>
  );
}

/** Note on an abnormal end of the last turn. */
function Ended({ problem, hasNoModel, onAgain, onClose }: {
  problem: unknown;
  hasNoModel: boolean;
  /** Retries the question; undefined if it is already shown above and would have to be typed again. */
  onAgain: (() => void) | undefined;
  onClose: () => void;
}) {
  const words = useWords(ASSISTANT);
  if (problem === undefined) return null;
  const isMissing = hasNoModel && problem instanceof ApiProblem && problem.status === 503 &&
    !problem.details["isTaken"];
  return (
    <Stack gap="xs">
      {isMissing
        ? <NoModel />
        : problem instanceof ApiProblem
        ? <ProblemNote problem={problem} />
        : <Alert color="red" variant="light" role="alert">{words.brokenOff}</Alert>}
      <Group gap="xs">
        {onAgain && (
          <Button size="compact-sm" variant="default" onClick={onAgain}>{words.askAgain}</Button>
        )}
        <Button size="compact-sm" variant="default" onClick={onClose}>{words.dismiss}</Button>
      </Group>
    </Stack>
  );
}

function Head({ conversation }: { conversation: Whole }) {
  const words = useWords(ASSISTANT);
  const may = useMay();
  const [, go] = useLocation();
  const { id, title } = conversation;
  const remove = useChange(
    () => api.DELETE("/ai/conversations/{id}", { params: { path: { id } } }),
    TOUCHED,
  );
  return (
    <Group justify="space-between" gap="xs">
      <Title order={2} size="h4" className="ps-wrap">{title}</Title>
      <Group gap="xs">
        <Rename id={id} title={title} />
        {may("ai:share") && <Share id={id} share={conversation.share} />}
        <Confirm
          size="xs"
          label={words.remove}
          question={words.removeQuestion}
          work={remove}
          run={async () => {
            await remove.mutateAsync(undefined);
            toast(words.removed);
            go("/assistant", { replace: true });
          }}
        />
      </Group>
    </Group>
  );
}

function Rename({ id, title }: { id: string; title: string }) {
  const words = useWords(ASSISTANT);
  const [draft, setDraft] = useState<string>();
  const close = () => setDraft(undefined);
  const work = useChange(() =>
    api.PUT("/ai/conversations/{id}", {
      params: { path: { id } },
      body: { title: draft?.trim() ?? "" },
    }), TOUCHED);
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setDraft(title)}>{words.rename}</Button>
      <NewDialog
        opened={draft !== undefined}
        onClose={close}
        title={words.rename}
        isTyped={draft !== title}
        work={work}
        onDone={close}
      >
        <TextInput
          data-autofocus
          label={words.newTitle}
          required
          maxLength={200}
          value={draft ?? ""}
          onChange={(it) => setDraft(it.currentTarget.value)}
        />
      </NewDialog>
    </>
  );
}
