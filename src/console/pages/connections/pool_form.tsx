import { Button, Group, Select, Stack, Switch, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useLocation } from "wouter";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { ApiProblem } from "../../api/problem.ts";
import { readEtag, useChange, useRead, useTagged } from "../../api/queries.ts";
import { FieldGroup, readWrongFields } from "../../components/grouped_template.tsx";
import { Empty, ProblemNote } from "../../components/notes.tsx";
import { Password } from "../../components/password.tsx";
import { SECRET_MASK } from "../../components/properties.tsx";
import { Loaded } from "../../components/records.tsx";
import { useStoredDraft } from "../../components/stored_draft.tsx";
import { toast } from "../../components/toasts.tsx";
import { useWords } from "../../i18n/language.ts";
import { DRIVERS } from "./drivers.ts";
import { PoolRemoval } from "./pool_removal.tsx";
import { Result, useTest } from "./result.tsx";
import { CONNECTIONS } from "./words.ts";

/** Section `pools` as JSON; secrets are masked. */
interface Section {
  readonly version: 1;
  readonly pools?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Fields of the form as text; the others of a pool keep their stored values. */
interface Draft {
  readonly name: string;
  readonly driver: string;
  readonly host: string;
  readonly port: string;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  readonly file: string;
  readonly isReadOnly: boolean;
}

type Field = Exclude<keyof Draft, "isReadOnly">;
/** Sentences at the fields of the form. */
type Wrong = Partial<Record<Field, string>>;

/** Names that the section accepts. */
const NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,62}$/;
/** Port that a server has unless its administrator chose another. */
const PORTS: Readonly<Record<string, string>> = {
  postgres: "5432",
  mysql: "3306",
  mssql: "1433",
  oracle: "1521",
};
const TOUCHES = ["/admin/config", "/api/connections", "/api/db"];
const PATH = { section: "pools" };

/** Form of a database of the ERP; without a name it adds one. */
export function PoolForm({ name, onAdded }: {
  name: string | undefined;
  onAdded: (name: string) => void;
}) {
  const words = useWords(CONNECTIONS);
  const may = useMay();
  const isAllowed = may("settings:pools");
  const stored = useTagged("/admin/config/{section}/parsed", { path: PATH }, { when: isAllowed });
  if (!isAllowed) return <Empty icon="lock" title={words.ofVariable} />;
  return (
    <Loaded of={stored}>
      {({ body, etag }) => (
        <Form name={name} onAdded={onAdded} section={body as unknown as Section} etag={etag} />
      )}
    </Loaded>
  );
}

function Form({ name, onAdded, section, etag }: {
  name: string | undefined;
  onAdded: (name: string) => void;
  section: Section;
  etag: string;
}) {
  const words = useWords(CONNECTIONS);
  const pools = new Map(Object.entries(section.pools ?? {}));
  const listed = useRead("/api/connections", {}); // also those that variables define
  const [, go] = useLocation();
  const [added, setAdded] = useState<string>();
  const shown = name ?? added;
  const value = shown !== undefined && pools.has(shown)
    ? getDraft(shown, pools.get(shown))
    : getDraft(name, undefined);
  const form = useStoredDraft({ value, etag });
  const test = useTest("pool");
  const save = useChange(async () => {
    const { response } = await api.PUT("/admin/config/{section}/parsed", {
      params: { path: PATH, header: { "if-match": form.etag } },
      body: withPool(section, form.draft) as never,
    });
    form.saved(form.draft, readEtag(response));
    toast(words.saved);
  }, TOUCHES);
  const [isChecked, setChecked] = useState(false);
  const [taken, setTaken] = useState<string>();
  const of = form.draft.name.trim();
  // A stored password is not sent to another address.
  const refusals = { ...readWrongFields(save.error), ...readWrongFields(test.error) };
  const again = { ...refusals, ...test.data?.fields }[`pools.${of}.password`];
  const wrong: Wrong = {
    ...isChecked && findWrong(form.draft, words),
    ...taken === of && { name: words.nameTaken(of) },
    ...again !== undefined && form.draft.password === SECRET_MASK && { password: again },
  };
  const isOfVariable = name !== undefined && name !== added && !pools.has(name);
  if (isOfVariable) return <Text>{words.ofVariable}</Text>;
  const isComplete = () => {
    test.reset();
    setChecked(true);
    // Saving would overwrite the stored one, and testing would use its password.
    const isKnown = listed.data?.connections.some((it) => it.kind === "pool" && it.name === of);
    // Without a database, the list has one entry without a name.
    const isTaken = shown === undefined && of !== "" && (pools.has(of) || isKnown === true);
    setTaken(isTaken ? of : undefined);
    return !isTaken && Object.keys(findWrong(form.draft, words)).length === 0;
  };
  const saveAndTest = () => {
    if (!isComplete()) return;
    void save.mutateAsync(undefined).then(() => {
      setAdded(of);
      if (name === undefined) onAdded(of);
      test.mutate({ name: of });
    }, () => {}); // the form shows the error
  };
  return (
    <fieldset disabled={save.isPending}>
      <Stack gap="md" maw={820}>
        <PoolFields draft={form.draft} set={form.set} wrong={wrong} isNew={shown === undefined} />
        {again === undefined && (
          <>
            <ProblemNote problem={withoutPosition(save.error) ?? test.error} />
            <Result of={test.data} />
          </>
        )}
        <Group>
          <Button loading={save.isPending || test.isPending} onClick={saveAndTest}>
            {words.saveAndTest}
          </Button>
          <Button
            variant="default"
            disabled={save.isPending || test.isPending}
            onClick={() =>
              isComplete() && test.mutate({ name: of, pool: getDefinition(section, form.draft) })}
          >
            {words.testTyped}
          </Button>
          {shown !== undefined && pools.has(shown) && (
            <PoolRemoval
              name={shown}
              rest={withoutPool(section, shown)}
              etag={etag}
              touches={TOUCHES}
              onRemoved={() => {
                form.drop();
                go("/connections", { replace: true });
              }}
            />
          )}
        </Group>
      </Stack>
    </fieldset>
  );
}

/** Returns the errors of missing and malformed values, by field. */
function findWrong(
  draft: Draft,
  words: { nameMissing: string; nameWrong: string; missing: string; portWrong: string },
): Wrong {
  const name = draft.name.trim();
  const port = draft.port.trim();
  const needed: readonly Field[] = draft.driver === "sqlite"
    ? ["file"]
    : ["host", "database", "user"];
  return {
    ...!NAME.test(name) && { name: name ? words.nameWrong : words.nameMissing },
    ...Object.fromEntries(
      needed.filter((it) => !draft[it].trim()).map((it) => [it, words.missing]),
    ),
    ...draft.driver !== "sqlite" && port !== "" && !isPort(port) && { port: words.portWrong },
  };
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
}

/** Returns a refusal of the section without positions in its text, which this form does not show. */
function withoutPosition(problem: ApiProblem | null): ApiProblem | null {
  const errors = problem?.details["errors"];
  if (!problem || !Array.isArray(errors)) return problem;
  const text = errors.map(({ message }: { message?: unknown }) => String(message)).join("\n");
  return new ApiProblem(text, { status: problem.status });
}

function PoolFields({ draft, set, wrong, isNew }: {
  draft: Draft;
  wrong: Wrong;
  set: (part: Partial<Draft>) => void;
  isNew: boolean;
}) {
  const words = useWords(CONNECTIONS);
  const field = (name: "host" | "database" | "user" | "file" | "port") => (
    <TextInput
      label={words[name]}
      error={wrong[name]}
      value={draft[name]}
      {...name === "port" && { inputMode: "numeric", placeholder: PORTS[draft.driver] }}
      onChange={(it) => set({ [name]: it.currentTarget.value })}
    />
  );
  return (
    <>
      <FieldGroup title={words.server}>
        <TextInput
          label={words.poolName}
          description={words.poolNameHint}
          readOnly={!isNew}
          error={wrong.name}
          value={draft.name}
          onChange={(it) => set({ name: it.currentTarget.value })}
        />
        <Select
          label={words.driver}
          allowDeselect={false}
          data={DRIVERS}
          value={draft.driver}
          onChange={(it) => set({ driver: it ?? draft.driver })}
        />
        {draft.driver === "sqlite" ? field("file") : (
          <>
            {field("host")}
            {field("port")}
            {field("database")}
          </>
        )}
      </FieldGroup>
      <FieldGroup title={words.account}>
        {draft.driver !== "sqlite" && (
          <>
            {field("user")}
            <Password
              label={words.password}
              autoComplete="new-password"
              error={wrong.password}
              value={draft.password}
              onChange={(it) => set({ password: it.currentTarget.value })}
            />
          </>
        )}
        <Switch
          label={words.readOnly}
          description={words.readOnlyHint}
          checked={draft.isReadOnly}
          onChange={(it) => set({ isReadOnly: it.currentTarget.checked })}
        />
      </FieldGroup>
    </>
  );
}

type StoredPool = Readonly<Record<string, unknown>>;

/** Returns the fields of a stored pool; a new one is for reading only. */
function getDraft(name = "", stored: StoredPool | undefined): Draft {
  const of = new Map(Object.entries(stored ?? {}));
  const text = (key: string) => {
    const value = of.get(key);
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
  };
  return {
    name,
    driver: text("driver") || "postgres",
    host: text("host"),
    port: text("port"),
    database: text("database"),
    user: text("user"),
    password: text("password"),
    file: text("file"),
    isReadOnly: stored ? of.get("read_only") === true : true,
  };
}

const OF_SERVER = ["host", "database", "user", "password"] as const;
const OF_FORM: readonly string[] = [...OF_SERVER, "port", "file"];

/** Returns the section with the pool of the form. */
function withPool(section: Section, draft: Draft): Section {
  const pool = getDefinition(section, draft);
  return { ...section, version: 1, pools: { ...section.pools, [draft.name.trim()]: pool } };
}

function withoutPool(section: Section, name: string): Section {
  const rest = Object.entries(section.pools ?? {}).filter(([it]) => it !== name);
  return { ...section, version: 1, pools: Object.fromEntries(rest) };
}

/** Returns the pool of the form; its other settings stay as they are stored. */
function getDefinition(section: Section, draft: Draft): StoredPool {
  const stored = new Map(Object.entries(section.pools ?? {})).get(draft.name.trim());
  const before = Object.entries(stored ?? {});
  const others = Object.fromEntries(before.filter(([key]) => !OF_FORM.includes(key)));
  const given = draft.driver === "sqlite" ? { file: draft.file.trim() } : Object.fromEntries(
    OF_SERVER.map((it) => [it, it === "password" ? draft[it] : draft[it].trim()])
      .filter(([, value]) => value),
  );
  const port = draft.driver !== "sqlite" && draft.port.trim() ? { port: Number(draft.port) } : {};
  return { ...others, driver: draft.driver, ...given, ...port, read_only: draft.isReadOnly };
}
