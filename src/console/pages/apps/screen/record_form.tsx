import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { api } from "../../../api/client.ts";
import { ApiProblem } from "../../../api/problem.ts";
import { useChange, useRead } from "../../../api/queries.ts";
import { Confirm } from "../../../components/confirm.tsx";
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
  type Mode,
  type RecordDraft,
} from "./dialog_fields.tsx";
import { type RecordLock, useRecordLock } from "./lock.ts";
import { LockNote } from "./lock_note.tsx";
import { useRecordDraft } from "./record_draft.ts";
import { getFields, RecordTabs, useRecordTabs } from "./record_tabs.tsx";
import { fillText, type Screen, type ScreenQuery, type ScreenRow } from "./view.ts";

type Definition = NonNullable<Screen["dialog"]>;
type ScreenOfRecords = Screen & { readonly dialog: Definition };
type Key = Readonly<Record<string, string>>;

/** Grid of another screen, and the record whose values restrict it. */
export interface DetailOf {
  readonly detail: {
    readonly screen: string;
    readonly params?: Readonly<Record<string, string>>;
  };
  readonly record: ScreenRow;
}

export interface RecordProps {
  screen: ScreenOfRecords;
  record: Key | undefined;
  /** Row in the grid. */
  row: ScreenRow | undefined;
  given: ScreenQuery["params"];
  /** Shows the grid of records that belong to the record. */
  details: (of: DetailOf) => ReactNode;
  onClose: () => void;
}

/** Form of a record, once it has been read. */
export function RecordForm({ screen, record, row, given, details, onClose, onChanged }:
  & RecordProps
  & { onChanged: (isChanged: boolean) => void }) {
  const words = useWords(APPS);
  const { dialog } = screen;
  const mode = getMode(dialog, record);
  const operation = mode === "read" ? undefined : dialog[mode];
  const mayChange = record !== undefined && (dialog.update ?? dialog.delete) !== undefined;
  const lock = useRecordLock(screen, mayChange ? record : undefined);
  const present = usePresent(screen, record, row);
  const { data: known = {} } = present;
  const base: ScreenRow = mode === "create" ? { ...getPresets(dialog), ...given } : known;
  const typed = useRecordDraft(base, onChanged);
  const isStale = typed.theirs.length > 0;
  const isLocked = lock.state !== "held" && lock.state !== "free";
  useReadingAfterLock(lock, present.refetch);
  const { save, remove } = useRecordWork(screen, { operation, base, known, record, typed });
  const tabs = useRecordTabs({ dialog, mode, operation, base, typed });
  const submit = () => {
    if (isStale || !tabs.check()) return; // Enter also submits a form whose record changed meanwhile
    save.mutate(undefined, {
      onSuccess: () => {
        toast(mode === "create" ? words.created : words.saved);
        onClose();
      },
    });
  };
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
      ref={tabs.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        submit();
      }}
    >
      <Stack gap="sm">
        <LockNote lock={lock} mayTakeOver={screen.lock?.takeover ?? false} />
        {isStale && <StaleRecord screen={screen} base={base} typed={typed} onChoose={save.reset} />}
        <RecordTabs tabs={tabs} dialog={dialog}>
          {({ fields, detail }) => (
            <>
              {fields && (
                <fieldset disabled={save.isPending}>
                  <DialogFields
                    fields={fields}
                    mode={mode}
                    operation={operation}
                    lookups={screen.lookups}
                    looks={getLooks(screen)}
                    values={tabs.values}
                    row={base}
                    mistakes={tabs.mistakes}
                    isLocked={isLocked}
                    onChange={tabs.change}
                  />
                </fieldset>
              )}
              {detail && record && details({ detail, record: { ...known, ...record } })}
            </>
          )}
        </RecordTabs>
        {isStale || <SaveProblem problem={save.error} loadPresent={loadPresent} />}
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

function getMode({ update }: Definition, record: Key | undefined): Mode {
  if (record === undefined) return "create";
  return update ? "update" : "read";
}

const getLooks = ({ grid }: Screen) => new Map(grid.columns.map((it) => [it.field, it]));

/** Returns the first values of a new record. */
function getPresets(dialog: Definition): RecordDraft {
  return Object.fromEntries(
    getFields(dialog).flatMap(({ field, default: preset }) =>
      preset === undefined ? [] : [[field, fieldText(preset)]]
    ),
  );
}

/** Reads the record again once it is locked: the previous holder of the lock may have changed it. */
function useReadingAfterLock({ state }: RecordLock, refetch: () => unknown): void {
  const wasTaken = useRef(false);
  useEffect(() => {
    if (state === "held" && wasTaken.current) void refetch();
    wasTaken.current = state === "taken" || state === "lost";
  }, [state, refetch]);
}

type Draft = ReturnType<typeof useRecordDraft>;

/** Returns the saving and the removal of the record. */
function useRecordWork(
  { dialog, source: { connector } }: ScreenOfRecords,
  { operation, base, known, record, typed }: {
    operation: Definition["update"];
    base: ScreenRow;
    known: ScreenRow;
    record: Key | undefined;
    typed: Draft;
  },
) {
  const run = async (query: string, body: Record<string, unknown>) =>
    void await api.POST("/api/sql/{connector}/{query}:write", {
      params: { path: { connector, query } },
      body,
    });
  const save = useChange(() => {
    if (!operation) throw new Error("nothing is saved");
    return run(operation.query, sentBy(operation, base, typed.draft));
  }, ["/api/sql"]);
  const remove = useChange(() => {
    if (!dialog.delete) throw new Error("nothing is removed");
    return run(dialog.delete.query, sentBy(dialog.delete, { ...known, ...record }, {}));
  }, ["/api/sql"]);
  return { save, remove };
}

/** Changes that somebody else stored, in the reader's language, with the choice between both versions. */
function StaleRecord({ screen, base, typed, onChoose }: {
  screen: ScreenOfRecords;
  base: ScreenRow;
  typed: Draft;
  /** Clears the error of the conflict, which the reader has seen by choosing a version. */
  onChoose: () => void;
}) {
  const changes = useChanges();
  const language = useLanguage();
  const fields = getFields(screen.dialog);
  const looks = getLooks(screen);
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
  const settle = (choose: () => void) => () => {
    onChoose();
    choose();
  };
  return (
    <StaleNote
      changes={changes(
        describe(typed.before),
        describe(typed.after),
        (name) => fields.find(({ field }) => field === name)?.label ?? name,
      )}
      keepMine={settle(typed.keepMine)}
      takeTheirs={settle(typed.takeTheirs)}
    />
  );
}

/** Reason why the record was not saved; after a conflict the current record can be loaded. */
function SaveProblem({ problem, loadPresent }: { problem: unknown; loadPresent: () => void }) {
  const words = useWords(APPS);
  if (!(problem instanceof ApiProblem && problem.status === 409)) {
    return <ProblemNote problem={problem} />;
  }
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      icon={<Icon name="warning" />}
      title={words.conflict}
    >
      <Text size="sm" className="ps-wrap">{problem.message}</Text>
      <Text size="sm">{words.conflictHint}</Text>
      <Button size="compact-sm" variant="default" mt="xs" onClick={loadPresent}>
        {words.loadPresent}
      </Button>
    </Alert>
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

/** Reads the current record by the query of the dialog, else by that of the grid. */
function usePresent(
  screen: ScreenOfRecords,
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
