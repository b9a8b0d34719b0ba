import { Alert, Button, Group, Stack, Tabs, Text } from "@mantine/core";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Dialog } from "../../../components/dialog.tsx";
import { api } from "../../../api/client.ts";
import { ApiProblem } from "../../../api/problem.ts";
import { useChange, useRead } from "../../../api/queries.ts";
import { useUnsaved } from "../../../api/unsaved.ts";
import { Confirm } from "../../../components/confirm.tsx";
import { useHeld } from "../../../components/held_form.ts";
import { Icon } from "../../../components/icon.tsx";
import { ProblemNote } from "../../../components/notes.tsx";
import { StaleNote, useChanges } from "../../../components/stored_draft.tsx";
import { toast } from "../../../components/toasts.tsx";
import { useLanguage, useWords } from "../../../i18n/language.ts";
import { APPS } from "../words.ts";
import { Actions } from "./actions.tsx";
import {
  DialogFields,
  fieldText,
  formatField,
  isWritable,
  mistakeIn,
  type Mode,
  type RecordDraft,
} from "./dialog_fields.tsx";
import { useRecordLock } from "./lock.ts";
import { LockNote } from "./lock_note.tsx";
import { useRecordDraft } from "./record_draft.ts";
import { fillText, type Screen, type ScreenQuery, type ScreenRow } from "./view.ts";

type Definition = NonNullable<Screen["dialog"]>;
type Key = Readonly<Record<string, string>>;

/** Grid of another screen, and the record whose values restrict it. */
export interface DetailOf {
  readonly detail: {
    readonly screen: string;
    readonly params?: Readonly<Record<string, string>>;
  };
  readonly record: ScreenRow;
}

const SIZES = { sm: "sm", md: "lg", lg: "xl", full: "100%" } as const;

/** Record in its tabs; `record` undefined creates one. Closing asks before losing input. */
export function RecordDialog(props: {
  screen: Screen & { readonly dialog: Definition };
  record: Key | undefined;
  /** Row in the grid. */
  row: ScreenRow | undefined;
  given: ScreenQuery["params"];
  /** Shows the grid of records that belong to the record. */
  details: (of: DetailOf) => ReactNode;
  onClose: () => void;
}) {
  const { screen, record, onClose } = props;
  const words = useWords(APPS);
  const [isChanged, setChanged] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const settle = useUnsaved(isChanged, ["record"]);
  const written = useRef<Element>(null);
  const leave = () => {
    settle();
    onClose();
  };
  const close = () => {
    if (!isChanged) return leave();
    if (!isLeaving) written.current = document.activeElement;
    setLeaving(true);
  };
  const stay = () => {
    setLeaving(false);
    if (written.current instanceof HTMLElement) written.current.focus();
  };
  const name = record ? Object.values(record).join(" · ") : words.newRecord;
  return (
    <Dialog
      opened
      onClose={close}
      size={SIZES[screen.dialog.width]}
      title={<Text span fw={600} className="ps-wrap">{screen.label} – {name}</Text>}
      centered={false}
    >
      {isLeaving && (
        <Alert color="yellow" variant="light" role="alert" mb="sm" icon={<Icon name="warning" />}>
          <Group justify="space-between" gap="xs">
            <Text size="sm">{words.leaveSure}</Text>
            <Group gap="xs">
              <Button autoFocus size="compact-sm" variant="default" onClick={stay}>
                {words.cancel}
              </Button>
              <Button size="compact-sm" color="red.9" onClick={leave}>{words.close}</Button>
            </Group>
          </Group>
        </Alert>
      )}
      <RecordForm {...props} onClose={leave} onChanged={setChanged} />
    </Dialog>
  );
}

function RecordForm({ screen, record, row, given, details, onClose, onChanged }:
  & Parameters<typeof RecordDialog>[0]
  & { onChanged: (isChanged: boolean) => void }) {
  const words = useWords(APPS);
  const changes = useChanges();
  const language = useLanguage();
  const { dialog, source: { connector } } = screen;
  const mode: Mode = record === undefined ? "create" : dialog.update ? "update" : "read";
  const operation = mode === "create"
    ? dialog.create
    : mode === "update"
    ? dialog.update
    : undefined;
  const mayChange = record !== undefined && (dialog.update ?? dialog.delete) !== undefined;
  const lock = useRecordLock(screen, mayChange ? record : undefined);
  const present = usePresent(screen, record, row);
  const { data: known = {} } = present;
  const [mistakes, setMistakes] = useState<Readonly<Record<string, string>>>({});
  const fields = dialog.tabs.flatMap((it) => it.fields ?? []);
  const first = Object.fromEntries(
    fields.flatMap(({ field, default: preset }) =>
      mode === "create" && preset !== undefined ? [[field, fieldText(preset)]] : []
    ),
  );
  const base: ScreenRow = mode === "create" ? { ...first, ...given } : known;
  const typed = useRecordDraft(base, onChanged);
  const { draft } = typed;
  const isStale = typed.theirs.length > 0;
  const values: RecordDraft = {
    ...Object.fromEntries(Object.entries(base).map(([name, it]) => [name, fieldText(it)])),
    ...draft,
  };
  const looks = new Map(screen.grid.columns.map((it) => [it.field, it]));
  const [tab, setTab] = useState(dialog.tabs[0]?.id ?? null);
  const isLocked = lock.state !== "held" && lock.state !== "free";
  const { state: lockState } = lock;
  const { refetch } = present;
  const wasTaken = useRef(false);
  useEffect(() => {
    // The previous holder of the lock may have changed the record.
    if (lockState === "held" && wasTaken.current) void refetch();
    wasTaken.current = lockState === "taken" || lockState === "lost";
  }, [lockState, refetch]);

  const run = async (query: string, body: Record<string, unknown>) =>
    void await api.POST("/api/sql/{connector}/{query}:write", {
      params: { path: { connector, query } },
      body,
    });
  const save = useChange(() => {
    if (!operation) throw new Error("nothing is saved");
    return run(operation.query, sentBy(operation, base, draft));
  }, ["/api/sql"]);
  const form = useHeld(save.isPending);
  const remove = useChange(() => {
    if (!dialog.delete) throw new Error("nothing is removed");
    return run(dialog.delete.query, sentBy(dialog.delete, { ...known, ...record }, {}));
  }, ["/api/sql"]);

  const submit = () => {
    if (isStale) return; // submitted by Enter
    const found = Object.fromEntries(
      fields.filter((it) => isWritable(it, mode, operation)).flatMap((it) => {
        const mistake = mistakeIn(it, values[it.field] ?? "", operation, words);
        return mistake === undefined ? [] : [[it.field, mistake]];
      }),
    );
    setMistakes(found);
    const [wrong] = Object.keys(found);
    if (wrong !== undefined) {
      const place = dialog.tabs.find((it) => it.fields?.some(({ field }) => field === wrong));
      if (place) setTab(place.id);
      // The tab of the field must be drawn first.
      setTimeout(() => focusField(form.current, wrong));
      return;
    }
    save.mutate(undefined, {
      onSuccess: () => {
        toast(mode === "create" ? words.created : words.saved);
        onClose();
      },
    });
  };
  const change = (field: string, value: string) => {
    typed.change(field, value);
    const { [field]: _, ...others } = mistakes;
    setMistakes(others);
  };
  /** Formats values in the reader's language. */
  const describe = (values: Readonly<Record<string, string | undefined>>) =>
    Object.fromEntries(
      fields.filter(({ field }) => Object.hasOwn(values, field)).map((it) => [
        it.field,
        formatField(it, values[it.field] ?? "", {
          language,
          look: looks.get(it.field),
          lookups: screen.lookups,
          row: base,
        }),
      ]),
    );
  // By choosing a version the reader has seen the conflict, so its error is cleared.
  const settle = (choose: () => void) => () => {
    save.reset();
    choose();
  };
  const isConflict = save.error instanceof ApiProblem && save.error.status === 409;
  const loadPresent = () => {
    save.reset();
    lock.take();
    void present.refetch();
  };
  if (record && !present.data) {
    return present.isGone
      ? <Text size="sm">{words.gone}</Text>
      : <ProblemNote problem={present.error} retry={() => void present.refetch()} />;
  }
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        submit();
      }}
    >
      <Stack gap="sm">
        <LockNote lock={lock} mayTakeOver={screen.lock?.takeover ?? false} />
        {isStale && (
          <StaleNote
            changes={changes(
              describe(typed.before),
              describe(typed.after),
              (name) => fields.find(({ field }) => field === name)?.label ?? name,
            )}
            keepMine={settle(typed.keepMine)}
            takeTheirs={settle(typed.takeTheirs)}
          />
        )}
        <Tabs value={tab} onChange={setTab} keepMounted={false}>
          {dialog.tabs.length > 1 && (
            <Tabs.List>
              {dialog.tabs.map(({ id, label, fields: own }) => (
                <Tabs.Tab
                  key={id}
                  value={id}
                  {...own?.some(({ field }) => mistakes[field]) && {
                    leftSection: <Icon name="warning" size={14} />,
                  }}
                >
                  {label}
                </Tabs.Tab>
              ))}
            </Tabs.List>
          )}
          {dialog.tabs.map(({ id, fields: own, detail }) => (
            <Tabs.Panel key={id} value={id}>
              {own && (
                <DialogFields
                  fields={own}
                  mode={mode}
                  operation={operation}
                  lookups={screen.lookups}
                  looks={looks}
                  values={values}
                  row={base}
                  mistakes={mistakes}
                  isLocked={isLocked}
                  onChange={change}
                />
              )}
              {detail && record && details({ detail, record: { ...known, ...record } })}
            </Tabs.Panel>
          ))}
        </Tabs>
        {isConflict && !isStale
          ? (
            <Alert
              color="red"
              variant="light"
              role="alert"
              icon={<Icon name="warning" />}
              title={words.conflict}
            >
              <Text size="sm" className="ps-wrap">{save.error?.message}</Text>
              <Text size="sm">{words.conflictHint}</Text>
              <Button size="compact-sm" variant="default" mt="xs" onClick={loadPresent}>
                {words.loadPresent}
              </Button>
            </Alert>
          )
          : <ProblemNote problem={isStale ? null : save.error} />}
        <Group justify="space-between" gap="xs">
          <Group gap="xs">
            {record && dialog.delete && !isLocked && (
              <Confirm
                label={words.delete}
                question={fillText(dialog.delete.confirm ?? words.deleteSure, {
                  ...known,
                  ...record,
                })}
                work={remove}
                run={() =>
                  remove.mutateAsync(undefined).then(() => {
                    toast(words.deleted);
                    onClose();
                  })}
              />
            )}
            {record && (
              <Actions
                screen={screen}
                on="row"
                rows={[{ ...row, ...known, ...record }]}
              />
            )}
          </Group>
          {operation && (
            <Button
              type="submit"
              loading={save.isPending}
              {...(isLocked || isStale) && { disabled: true }}
            >
              {words.save}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

/** Returns the parameters of an operation from the record and the input; cleared fields are null. */
function sentBy(
  { params }: NonNullable<Definition["update"]>,
  record: ScreenRow,
  draft: RecordDraft,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(params).flatMap(([name, { type }]) => {
      if (Object.hasOwn(draft, name)) {
        const text = draft[name] ?? "";
        return [[name, text === "" ? null : type.startsWith("array<") ? text.split(",") : text]];
      }
      return Object.hasOwn(record, name) ? [[name, record[name]]] : [];
    }),
  );
}

function focusField(form: HTMLFormElement | null, field: string): void {
  const place = [...form?.querySelectorAll<HTMLElement>("[data-field]") ?? []]
    .find((it) => it.dataset["field"] === field);
  place?.querySelector<HTMLElement>("input, textarea")?.focus();
}

/** Reads the current record by the query of the dialog, else by that of the grid. */
function usePresent(
  screen: Screen & { readonly dialog: Definition },
  record: Key | undefined,
  row: ScreenRow | undefined,
) {
  const { dialog: { read }, source: { connector, query } } = screen;
  const key = record ?? {};
  const own = Object.fromEntries(
    Object.entries(key).filter(([name]) => read && Object.hasOwn(read.params, name)),
  );
  const asked = read ? own : {
    q: JSON.stringify(Object.entries(key).map(([name, value]) => ({ [name]: { "=": value } }))),
  };
  const isRead = record !== undefined && (read !== undefined || row === undefined);
  const answer = useRead("/api/sql/{connector}/{query}", {
    path: { connector, query: read?.query ?? query },
    query: { ...asked, limit: 1 },
  }, { when: isRead });
  const [first] = answer.data?.items ?? [];
  const data = isRead ? first && { ...row, ...first } : row;
  return {
    data: data as ScreenRow | undefined,
    error: answer.error,
    isGone: isRead && answer.data !== undefined && !first,
    refetch: answer.refetch,
  };
}
