import { Button, Group, Menu, Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { components } from "../../../api/schema.d.ts";
import { api } from "../../../api/client.ts";
import { Problem } from "../../../api/problem.ts";
import { useChange } from "../../../api/queries.ts";
import { ProblemNote } from "../../../components/notes.tsx";
import { Records } from "../../../components/records.tsx";
import { toast } from "../../../components/toasts.tsx";
import { useLanguage, useWords } from "../../../i18n/language.ts";
import { textOf } from "../cells.tsx";
import { APPS } from "../words.ts";
import { argumentsOf, filled, keyOf, nameOf, type Row, type Screen } from "./view.ts";

type Action = components["schemas"]["ScreenAction"];
type Answer = components["schemas"]["QueryRows"];

/** Buttons for the actions of a screen on what is chosen. */
export function Actions({ screen, on, rows, onDone }: {
  screen: Screen;
  on: Action["on"];
  rows: readonly Row[];
  onDone?: () => void;
}) {
  return screen.actions.filter((it) => it.on === on).map((it) => (
    <ActionButton key={it.id} screen={screen} action={it} rows={rows} onDone={onDone} />
  ));
}

/** The same of one row, in a menu of the grid. */
export function RowActions({ screen, row }: { screen: Screen; row: Row }) {
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
            aria-label={words.actionsOf(nameOf(screen, row))}
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
  rows: readonly Row[];
  onDone: (() => void) | undefined;
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

interface Failed {
  readonly record: string;
  readonly problem: unknown;
}

/** Asks where the definition says so, does it record by record, and tells what was not done. */
function ActionDialog({ screen, action, rows, onClose, onDone }: {
  screen: Screen;
  action: Action;
  rows: readonly Row[];
  onClose: () => void;
  onDone?: () => void;
}) {
  const words = useWords(APPS);
  const [at, setAt] = useState(0);
  const [failed, setFailed] = useState<readonly Failed[]>([]);
  const [result, setResult] = useState<Answer>();
  const records = action.on === "screen" ? [{}] : rows;
  const work = useChange(async () => {
    const problems: Failed[] = [];
    let answer: Answer | undefined;
    for (const [index, row] of records.entries()) {
      setAt(index + 1);
      try {
        answer = await run(screen, action, row) ?? answer;
      } catch (problem) {
        problems.push({ record: nameOf(screen, row), problem });
        if (problem instanceof Problem && problem.isOffline) {
          const rest = records.slice(index + 1).map((it) => nameOf(screen, it));
          problems.push(...rest.map((record) => ({ record, problem })));
          break; // nobody is asked in vain for each of them
        }
      }
    }
    return { problems, answer };
  }, ["/api/sql"]);
  const begin = () =>
    work.mutate(undefined, {
      onSuccess: ({ problems, answer }) => {
        setFailed(problems);
        setResult(answer);
        if (problems.length === 0) {
          toast(action.job === undefined ? words.done : words.started(action.job));
          onDone?.();
        } else if (problems.length < records.length) {
          toast(words.doneSome(records.length - problems.length, problems.length), "failed");
        }
        if (problems.length === 0 && !answer) onClose();
      },
    });
  const first = records[0] ?? {};
  const question = action.confirm === undefined
    ? undefined
    : filled(action.confirm, { ...first, count: records.length });
  return (
    <Modal
      opened
      onClose={onClose}
      size={result ? "xl" : "md"}
      title={action.label}
      closeButtonProps={{ "aria-label": words.close }}
    >
      <Stack gap="md">
        {question && !result && <Text size="sm" className="ps-wrap">{question}</Text>}
        {failed.map(({ record, problem }) => (
          <Stack key={record} gap={2}>
            <Text size="sm" fw={600}>{record}</Text>
            <ProblemNote problem={problem} />
          </Stack>
        ))}
        {result && <Result of={result} label={action.label} />}
        <Group justify="flex-end" gap="xs">
          {work.isPending && records.length > 1 && (
            <Text size="sm" role="status">{words.doing(at, records.length)}</Text>
          )}
          <Button variant="default" onClick={onClose}>
            {result || failed.length ? words.close : words.cancel}
          </Button>
          {!result && (
            <Button data-autofocus loading={work.isPending} onClick={begin}>{action.label}</Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

/** What a query that only reads answers; undefined for whatever does something. */
async function run(screen: Screen, action: Action, row: Row): Promise<Answer | undefined> {
  const { connector = "", query, writes, endpoint, job, on } = action;
  // One that says nothing of its parameters is about the record.
  const params = action.params
    ? argumentsOf(action.params, row)
    : on === "screen"
    ? {}
    : keyOf(screen, row) ?? {};
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

function Result({ of: { items, metadata }, label }: { of: Answer; label: string }) {
  const words = useWords(APPS);
  const language = useLanguage();
  return (
    <Records
      label={label}
      columns={metadata.map(({ name, type }) => ({
        key: name,
        label: name,
        cell: (row: Row) => textOf(row[name], { type }, { language, row }),
      }))}
      rows={items}
      keyOf={(row) => JSON.stringify(row)}
      empty={<Text size="sm">{words.empty}</Text>}
    />
  );
}
