import { Alert, Button, Group, List, Paper, Progress, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import type { ApiProblem } from "../../api/problem.ts";
import { readAgain } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { useOnce } from "../../api/use_once.ts";
import { useFormats, useWords } from "../../i18n/language.ts";
import { Icon } from "../icon.tsx";
import { ProblemNote, problemText } from "../notes.tsx";
import { useOneByOne } from "../one_by_one.ts";
import { SendingOff } from "../sending_off.tsx";
import { toast } from "../toasts.tsx";
import { BulkConfirm } from "./bulk_confirm.tsx";
import { BULK } from "./bulk_words.ts";
import { TOUCHED } from "./tell.tsx";

type Preview = components["schemas"]["BulkPreview"]["actions"][number];
type Result = components["schemas"]["BulkResult"]["results"][number];
type Action = Preview["action"];

/** Invoices of one call; the API accepts 100. */
const AT_ONCE = 50;
/** Invoices that the preview of the API covers. */
const MAX = 1_000;
/** Invoices named in a dialog, and in the bar, which must not hide the list; others are counted. */
const NAMED = 20;
const FEW = 2;

/** Bar of actions on the selected invoices. Each button says how many invoices it changes, and their sum. */
export function BulkBar({ selected, onSelect, more, children }: {
  selected: ReadonlySet<string>;
  onSelect: (rest: ReadonlySet<string>) => void;
  /** Further choices next to the number of selected invoices. */
  more?: ReactNode;
  /** Further actions on the selected invoices. */
  children?: ReactNode;
}) {
  const words = useWords(BULK);
  const { number } = useFormats();
  const may = useMay();
  const preview = usePreview(selected);
  const { progress, isStopping, stop, outcome, run } = useBulkRun(selected, onSelect);
  const numbers = new Map(preview.data?.invoices?.map((it) => [it.id, it.ublNumber]));
  const nameOf = (id: string) => numbers.get(id) || id;
  const allowed = (preview.data?.actions ?? []).filter(({ action }) =>
    may(action === "resend" ? "invoices:run" : "invoices:status")
  );
  const possible = allowed.filter(({ ids }) => ids.length > 0);
  return (
    <Paper withBorder p="xs" className="ps-no-print ps-bulk" role="region" aria-label={words.bar}>
      <Group gap={6}>
        <Group gap={4} wrap="nowrap" w={{ base: "100%", xs: "auto" }}>
          <Text size="sm" fw={600} mr="auto" aria-live="polite" className="ps-number">
            {progress
              ? words.running(number(progress.at - 1), number(progress.of))
              : selected.size === 1
              ? words.oneSelected
              : words.selected(number(selected.size))}
          </Text>
          {!progress && (
            <>
              {more}
              <Button
                size="xs"
                px="xs"
                variant="subtle"
                className="ps-by-icon"
                aria-label={words.unselect}
                leftSection={<Icon name="close" size={14} />}
                onClick={() => onSelect(new Set())}
              >
                {words.unselect}
              </Button>
            </>
          )}
        </Group>
        {progress
          ? (
            <>
              <Progress
                flex={1}
                miw={120}
                value={(progress.at - 1) * 100 / progress.of}
                aria-label={words.bar}
              />
              <Button size="xs" variant="default" disabled={isStopping} onClick={stop}>
                {words.stop}
              </Button>
            </>
          )
          : (
            <>
              {possible.map((it, at) => (
                <ActionButton
                  key={it.action}
                  preview={it}
                  isFirst={at === 0}
                  nameOf={nameOf}
                  run={(day) => run(it, day)}
                />
              ))}
              {children}
            </>
          )}
      </Group>
      {!progress && <WhyNot allowed={allowed} possible={possible} nameOf={nameOf} />}
      <ProblemNote problem={preview.error} />
      <Outcome outcome={outcome} nameOf={nameOf} />
    </Paper>
  );
}

function usePreview(selected: ReadonlySet<string>) {
  const ids = [...selected].slice(0, MAX).toSorted();
  return useQuery<components["schemas"]["BulkPreview"], ApiProblem>({
    // Changes of invoices read the preview again, since its key begins with their path.
    queryKey: ["/api/invoices/bulk-preview", ids],
    queryFn: async ({ signal }) => {
      const { data } = await api.POST("/api/invoices/bulk-preview", { body: { ids }, signal });
      return data ?? { actions: [] };
    },
    placeholderData: (before) => before,
    enabled: ids.length > 0,
  });
}

interface Told {
  readonly failed: readonly { readonly id: string; readonly error: string }[];
  readonly left: number;
}

/** Sends the invoices of an action in calls of `AT_ONCE`. Those that were refused stay selected. */
function useBulkRun(
  selected: ReadonlySet<string>,
  onSelect: (rest: ReadonlySet<string>) => void,
) {
  const words = useWords(BULK);
  const { number } = useFormats();
  const client = useQueryClient();
  const { progress, isStopping, stop, run: runAll } = useOneByOne<readonly string[]>();
  const [outcome, setOutcome] = useState<Told>();
  const once = useOnce();
  const run = async ({ action, ids }: Preview, day?: string) => {
    setOutcome(undefined);
    const results: Result[] = [];
    const parts = Array.from(
      { length: Math.ceil(ids.length / AT_ONCE) },
      (_, at) => ids.slice(at * AT_ONCE, (at + 1) * AT_ONCE),
    );
    const { failed, left, isAbandoned } = await runAll(
      parts,
      (part) =>
        once(`${action} ${day ?? ""} ${part.join()}`, async (key) => {
          results.push(...await send(action, part, { key, day }));
        }),
    );
    const refused = [
      ...results.filter((it) => !it.success).map(({ id, error }) => ({ id, error: error ?? "" })),
      ...failed.flatMap(({ record, problem }) =>
        record.map((id) => ({ id, error: problemText(problem) }))
      ),
    ];
    const notBegun = left.flat();
    const done = new Set(results.filter((it) => it.success).map(({ id }) => id));
    setOutcome({ failed: refused, left: notBegun.length });
    toast(words.done[action](number(done.size)), refused.length ? "failed" : "done");
    if (isAbandoned && notBegun.length) toast(words.abandoned(number(notBegun.length)), "failed");
    // Another list, or other filters, have their own selection.
    if (!isAbandoned) onSelect(new Set([...selected].filter((id) => !done.has(id))));
    void readAgain(client, TOUCHED);
  };
  return { progress, isStopping, stop, outcome, run };
}

async function send(
  action: Action,
  part: readonly string[],
  { key, day }: { key: string; day: string | undefined },
): Promise<Result[]> {
  const params = { header: { "Idempotency-Key": key } };
  const ids = [...part];
  const { data } = action === "resend"
    ? await api.POST("/api/invoices/bulk-resend", { params, body: { ids } })
    : await api.POST("/api/invoices/bulk-status", {
      params,
      body: {
        ids,
        name: action === "approve" ? "APPROVED" : "PAYMENT_RECEIVED",
        ...day !== undefined && { statusAt: `${day}T12:00:00` },
      },
    });
  return data?.results ?? [];
}

type NameOf = (id: string) => string;

/** Names the first invoices and counts the others. */
function listNames(
  ids: readonly string[],
  { most, nameOf, more }: { most: number; nameOf: NameOf; more: (count: number) => string },
): string {
  const names = ids.slice(0, most).map(nameOf).join(", ");
  return ids.length > most ? `${names} ${more(ids.length - most)}` : names;
}

function ActionButton({ preview, isFirst, nameOf, run }: {
  preview: Preview;
  isFirst: boolean;
  nameOf: NameOf;
  run: (day?: string) => Promise<void>;
}) {
  const words = useWords(BULK);
  const { amount, number } = useFormats();
  const [isStarted, setStarted] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const { action, ids, totals } = preview;
  // Another selection may be sent, the same one only after it was read again.
  useEffect(() => setStarted(false), [preview]);
  const more = (count: number) => words.more(number(count));
  const sums = totals.map((it) => amount(Number(it.amount), it.currency)).join(" + ");
  const begin = (day?: string) => {
    setAsked(false);
    setStarted(true);
    // Invoices that were not accepted stay selected, to be tried again.
    void run(day).finally(() => setStarted(false));
  };
  return (
    <>
      <Button
        size="xs"
        px={{ base: 6, xs: "sm" }}
        variant={isFirst ? "filled" : "default"}
        leftSection={<Icon name={action === "resend" ? "send" : "check"} size={14} />}
        disabled={isStarted}
        onClick={() => setAsked(true)}
      >
        {words.actions[action](number(ids.length))}
        {action !== "resend" && <Text span inherit visibleFrom="xs">&nbsp;· {sums}</Text>}
      </Button>
      <BulkConfirm
        action={action}
        count={ids.length}
        sums={sums}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={begin}
      >
        <Text size="sm" className="ps-wrap">
          {words.chosen(listNames(ids, { most: NAMED, nameOf, more }))}
        </Text>
        {preview.recordedOnly.length > 0 && (
          <Text size="sm">{words.recordedOnly(number(preview.recordedOnly.length))}</Text>
        )}
        {action === "resend" && <SendingOff />}
        <LeftOut preview={preview} nameOf={nameOf} />
      </BulkConfirm>
    </>
  );
}

/** Names the invoices that the offered actions leave out, or why there is no action at all. */
function WhyNot({ allowed, possible, nameOf }: {
  allowed: readonly Preview[];
  possible: readonly Preview[];
  nameOf: NameOf;
}) {
  const words = useWords(BULK);
  const shown = possible.length > 0
    ? possible
    : allowed.filter(({ leftOut }) => leftOut.some(({ reason }) => reason !== "direction"));
  const reasons = shown.map((it) => (
    <LeftOut
      key={it.action}
      preview={it}
      nameOf={nameOf}
      isInBar
      isOneOfMany={shown.length > 1}
    />
  ));
  if (possible.length === 0) {
    return (
      <Stack gap={2} mt={4}>
        {allowed.length > 0 && <Text size="sm">{words.nothing}</Text>}
        {reasons}
      </Stack>
    );
  }
  if (!shown.some(({ leftOut }) => leftOut.some(isNamed))) return null;
  return (
    <Text component="details" size="xs" mt={4}>
      <summary>{words.why}</summary>
      {reasons}
    </Text>
  );
}

/** Returns true for reasons worth the space of the bar: everybody expects that the other side is left out. */
const isNamed = ({ reason }: Preview["leftOut"][number]) => reason !== "direction";

function LeftOut({ preview, nameOf, isInBar = false, isOneOfMany = false }: {
  preview: Preview;
  nameOf: NameOf;
  /** The bar has little space, so it names few invoices. */
  isInBar?: boolean;
  /** The bar explains several actions, so each explanation names its action. */
  isOneOfMany?: boolean;
}) {
  const words = useWords(BULK);
  const { number } = useFormats();
  const more = (count: number) => words.more(number(count));
  const listed = preview.leftOut.filter((it) => !isInBar || isNamed(it));
  if (listed.length === 0) return null;
  const most = isInBar ? FEW : NAMED;
  const texts = listed.map(({ reason, ids }) => {
    const names = listNames(ids, { most, nameOf, more });
    const why = reason === "direction" ? words.otherSide[preview.action] : words.reasons[reason];
    return `${why} (${names})`;
  });
  return (
    <Text size="xs" c="dimmed" className="ps-wrap">
      {isOneOfMany && `${words.names[preview.action]} – `}
      {words.leftOut} {texts.join(words.separator)}
    </Text>
  );
}

function Outcome({ outcome, nameOf }: { outcome: Told | undefined; nameOf: NameOf }) {
  const words = useWords(BULK);
  const { number } = useFormats();
  if (!outcome) return null;
  const { failed, left } = outcome;
  return (
    <>
      {left > 0 && <Text size="sm" mt="xs">{words.notBegun(number(left))}</Text>}
      {failed.length > 0 && (
        <Alert
          color="red"
          mt="xs"
          title={failed.length === 1 ? words.oneRefused : words.refused(number(failed.length))}
          role="alert"
        >
          <List size="sm">
            {failed.slice(0, NAMED).map(({ id, error }) => (
              <List.Item key={id}>
                <b>{nameOf(id)}</b> — {error}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </>
  );
}
