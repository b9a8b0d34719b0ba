import { Button, Group, Menu, Progress, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "../../../components/dialog.tsx";
import type { components } from "../../../api/schema.d.ts";
import { api } from "../../../api/client.ts";
import { useChange, useRead } from "../../../api/queries.ts";
import { ProblemNote } from "../../../components/notes.tsx";
import { type BatchResult, useOneByOne } from "../../../components/one_by_one.ts";
import { Records } from "../../../components/records.tsx";
import { toast } from "../../../components/toasts.tsx";
import { useLanguage, useWords } from "../../../i18n/language.ts";
import { formatCell } from "../cells.tsx";
import { APPS } from "../words.ts";
import {
  fillArguments,
  fillText,
  findKey,
  formatName,
  type Screen,
  type ScreenRow,
} from "./view.ts";

type Action = components["schemas"]["ScreenAction"];
type Answer = components["schemas"]["QueryRows"];
/** Receives the names of the records that remain to be processed. */
type OnDone = (rest: readonly string[]) => void;

/** Buttons for the actions of a screen on the selected rows. */
export function Actions({ screen, on, rows, onDone }: {
  screen: Screen;
  on: Action["on"];
  rows: readonly ScreenRow[];
  onDone?: OnDone;
}) {
  return screen.actions.filter((it) => it.on === on).map((it) => (
    <ActionButton key={it.id} screen={screen} action={it} rows={rows} onDone={onDone} />
  ));
}

/** Actions for one row, in a menu of the grid. */
export function RowActions({ screen, row }: { screen: Screen; row: ScreenRow }) {
  const words = useWords(APPS);
  const [chosen, setChosen] = useState<Action>();
  const actions = screen.actions.filter((it) => it.on === "row");
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            size="compact-xs"
            variant="default"
            aria-label={words.actionsOf(formatName(screen, row))}
          >
            {words.actions}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {actions.map((it) => (
            <Menu.Item key={it.id} onClick={() => setChosen(it)}>{it.label}</Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {chosen && (
        <ActionDialog
          screen={screen}
          action={chosen}
          rows={[row]}
          onClose={() => setChosen(undefined)}
        />
      )}
    </>
  );
}

function ActionButton({ screen, action, rows, onDone }: {
  screen: Screen;
  action: Action;
  rows: readonly ScreenRow[];
  onDone: OnDone | undefined;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>{action.label}</Button>
      {isOpen && (
        <ActionDialog
          screen={screen}
          action={action}
          rows={rows}
          onClose={() => setOpen(false)}
          {...onDone && { onDone }}
        />
      )}
    </>
  );
}

/**
 * Dialog that confirms if the definition requires it, processes record by record until stopped, and lists the
 * remaining ones.
 */
function ActionDialog({ screen, action, rows, onClose, onDone }: {
  screen: Screen;
  action: Action;
  rows: readonly ScreenRow[];
  onClose: () => void;
  onDone?: OnDone;
}) {
  const words = useWords(APPS);
  const [records, setRecords] = useState(action.on === "screen" ? [{}] : rows);
  const [outcome, setOutcome] = useState<BatchResult<ScreenRow>>();
  const [result, setResult] = useState<Answer>();
  const each = useOneByOne<ScreenRow>();
  const work = useChange(async () => {
    let answer: Answer | undefined;
    const outcome = await each.run(records, async (row) => {
      answer = await run(screen, action, row) ?? answer;
    });
    const { done, failed, left, isAbandoned } = outcome;
    if (isAbandoned && left.length > 0) {
      toast(words.cameTo(done.length, failed.length, left.length), "failed");
    }
    return { outcome, answer };
  }, ["/api/sql"]);
  const begin = () =>
    work.mutate(undefined, {
      onSuccess: ({ outcome, answer }) => {
        const rest = [...outcome.failed.map(({ record }) => record), ...outcome.left];
        setOutcome(outcome);
        setResult(answer);
        // Finished records are not processed again.
        if (rest.length > 0) setRecords(rest);
        onDone?.(rest.map((it) => formatName(screen, it)));
        if (rest.length > 0) return;
        toast(action.job === undefined ? words.done : words.started(action.job));
        if (!answer) onClose();
      },
    });
  const first = records[0] ?? {};
  const question = action.confirm === undefined
    ? undefined
    : fillText(action.confirm, { ...first, count: records.length });
  const { progress } = each;
  return (
    <Dialog
      opened
      // Closing stops running work; its result is then reported.
      onClose={work.isPending ? each.stop : onClose}
      size={result ? "xl" : "md"}
      title={action.label}
    >
      <Stack gap="md">
        {question && !result && <Text size="sm" className="ps-wrap">{question}</Text>}
        {outcome && !work.isPending && <OutcomeNote of={outcome} screen={screen} />}
        {result && <Result of={result} screen={screen} label={action.label} />}
        {progress && progress.of > 1 && (
          <Stack gap={4}>
            <Text size="sm" role="status">{words.doing(progress.at, progress.of)}</Text>
            <Progress
              value={(progress.at - 1) * 100 / progress.of}
              aria-label={action.label}
            />
          </Stack>
        )}
        <Group justify="flex-end" gap="xs">
          {work.isPending && records.length > 1
            ? (
              <Button variant="default" disabled={each.isStopping} onClick={each.stop}>
                {each.isStopping ? words.stopping : words.cancel}
              </Button>
            )
            : (
              <Button variant="default" onClick={onClose}>
                {result || outcome ? words.close : words.cancel}
              </Button>
            )}
          {!result && (
            <Button data-autofocus loading={work.isPending} onClick={begin}>
              {outcome && records.length > 1 ? words.goOn(records.length) : action.label}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}

/** Number of records done, if the work was not completed. */
function OutcomeNote(
  { of: { done, failed, left }, screen }: { of: BatchResult<ScreenRow>; screen: Screen },
) {
  const words = useWords(APPS);
  if (failed.length + left.length === 0) return null;
  return (
    <Stack gap="xs">
      {done.length + failed.length + left.length > 1 && (
        <Text size="sm" fw={600} role="status">
          {words.cameTo(done.length, failed.length, left.length)}
        </Text>
      )}
      {failed.map(({ record, problem }) => (
        <Stack key={formatName(screen, record)} gap={2}>
          <Text size="sm" fw={600}>{formatName(screen, record)}</Text>
          <ProblemNote problem={problem} />
        </Stack>
      ))}
    </Stack>
  );
}

/** Runs an action; returns the answer of a read-only query, undefined for other actions. */
async function run(screen: Screen, action: Action, row: ScreenRow): Promise<Answer | undefined> {
  const { connector = "", query, writes, endpoint, job, on } = action;
  // Without parameters the key of the record is the argument.
  const params = action.params
    ? fillArguments(action.params, row)
    : on === "screen"
    ? {}
    : findKey(screen, row) ?? {};
  if (job !== undefined) {
    await api.POST("/admin/jobs/{name}/run", { params: { path: { name: job } }, body: { params } });
    return undefined;
  }
  if (endpoint !== undefined) {
    const path = { connector, endpoint };
    await api.POST("/api/http/{connector}/{endpoint}", { params: { path }, body: params });
    return undefined;
  }
  const path = { connector, query: query ?? "" };
  if (writes) {
    await api.POST("/api/sql/{connector}/{query}:write", { params: { path }, body: params });
    return undefined;
  }
  const { data } = await api.POST("/api/sql/{connector}/{query}", {
    params: { path },
    body: params,
  });
  return data;
}

/** Answer of a query; columns have the labels of the screen, else of the dictionary. */
function Result({ of: { items, metadata }, screen, label }: {
  of: Answer;
  screen: Screen;
  label: string;
}) {
  const words = useWords(APPS);
  const language = useLanguage();
  const dictionary = useRead("/api/dictionary");
  const known = dictionary.data?.columns ?? {};
  const getLook = (name: string) =>
    screen.grid.columns.find(({ field }) => field === name) ??
      (Object.hasOwn(known, name) ? known[name] : undefined);
  if (dictionary.isPending) return null;
  return (
    <Records
      label={label}
      columns={metadata.map(({ name, type }) => {
        const { label = name, ...look } = getLook(name) ?? {};
        return {
          key: name,
          label,
          cell: (row: ScreenRow) => formatCell(row[name], { ...look, type }, { language, row }),
        };
      })}
      rows={items}
      keyOf={(row) => JSON.stringify(row)}
      empty={<Text size="sm">{words.empty}</Text>}
    />
  );
}
