import { Button, Checkbox, Group, Select, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { ApiProblem } from "../../api/problem.ts";
import { useChange } from "../../api/queries.ts";
import { Icon } from "../../components/icon.tsx";
import { ProblemNote } from "../../components/notes.tsx";
import { ParamFields, type ParamInputs, toArguments } from "../../components/params.tsx";
import { TextEditor } from "../../components/text_editor.tsx";
import { useWords } from "../../i18n/language.ts";
import { Answered, type ConnectorAnswer, Refused } from "./call_answer.tsx";
import { CONNECTOR } from "./connector_words.ts";

interface Work {
  readonly isPending: boolean;
  readonly error: ApiProblem | null;
  readonly data: ConnectorAnswer | undefined;
  mutate(input: undefined): void;
}

const TYPES = [
  "string",
  "integer",
  "number",
  "decimal",
  "boolean",
  "date",
  "datetime",
  "array<string>",
  "array<integer>",
];

/** Returns the parameters `:name` of a query, but not casts (`::text`). */
const getParams = (sql: string) => [
  ...new Set([...sql.matchAll(/(?<![:\w]):([a-z_]\w*)/gi)].map((it) => it[1] ?? "")),
];

/** Form that tries an unsaved query. */
export function TrySql({ name }: { name: string }) {
  const words = useWords(CONNECTOR);
  const [sql, setSql] = useState("select 1 as one");
  const [types, setTypes] = useState<Readonly<Record<string, string>>>({});
  const [given, setGiven] = useState<ParamInputs>({});
  const [isWrite, setWrite] = useState(false);
  const names = getParams(sql);
  const params = Object.fromEntries(names.map((it) => [it, { type: types[it] ?? "string" }]));
  const work = useChange(async () => {
    const query = { sql, params, mode: isWrite ? "write" : "read" };
    const { data } = await api.POST("/admin/config/connectors/{name}/test-sql", {
      params: { path: { name } },
      body: { query, params: toArguments(params, pick(given, names)) },
    });
    return data;
  });
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">{words.trySqlHint}</Text>
      <TextEditor
        label={words.trySql}
        language="none"
        value={sql}
        onChange={setSql}
        height="180px"
      />
      <Group gap="sm">
        {names.map((it) => (
          <Select
            key={it}
            label={words.type(it)}
            data={TYPES}
            allowDeselect={false}
            value={types[it] ?? "string"}
            onChange={(type) => setTypes({ ...types, [it]: type ?? "string" })}
          />
        ))}
      </Group>
      <ParamFields params={params} given={given} onChange={setGiven} />
      <Checkbox
        label={words.writes}
        checked={isWrite}
        onChange={(it) => setWrite(it.currentTarget.checked)}
      />
      <Run work={work} button={`${words.run} SQL`} label={words.trySql} />
    </Stack>
  );
}

const pick = (given: ParamInputs, names: readonly string[]): ParamInputs =>
  Object.fromEntries(names.flatMap((it) => given[it] === undefined ? [] : [[it, given[it]]]));

const FIRST = '{\n  "method": "GET",\n  "path": "/"\n}\n';

/** Form that tries an unsaved endpoint of a saved connector. */
export function TryEndpoint({ name }: { name: string }) {
  const words = useWords(CONNECTOR);
  const [endpoint, setEndpoint] = useState(FIRST);
  const [params, setParams] = useState("{}\n");
  const [mayWrite, setMayWrite] = useState(false);
  const work = useChange(async () => {
    const body = {
      connector: name,
      endpoint: getObject(endpoint, words.jsonWrong),
      params: getObject(params, words.jsonWrong),
      write: mayWrite,
    };
    return (await api.POST("/admin/config/api/test", { body })).data;
  });
  return (
    <Stack gap="sm">
      <Text size="sm" fw={600}>{words.tryEndpoint}</Text>
      <TextEditor
        label={words.tryEndpoint}
        language="json"
        value={endpoint}
        onChange={setEndpoint}
        height="200px"
      />
      <Text size="sm" fw={600}>{words.params}</Text>
      <TextEditor
        label={words.params}
        language="json"
        value={params}
        onChange={setParams}
        height="110px"
      />
      <Checkbox
        label={words.mayWrite}
        checked={mayWrite}
        onChange={(it) => setMayWrite(it.currentTarget.checked)}
      />
      <Run work={work} button={`${words.run} HTTP`} label={words.answer} />
    </Stack>
  );
}

/** Button that runs the trial, with its result. */
function Run({ work, button, label }: { work: Work; button: string; label: string }) {
  return (
    <>
      <Group>
        <Button
          variant="default"
          loading={work.isPending}
          leftSection={<Icon name="play" />}
          onClick={() => work.mutate(undefined)}
        >
          {button}
        </Button>
      </Group>
      <ProblemNote problem={work.error} />
      <Refused problem={work.error} />
      {work.data && <Answered answer={work.data} label={label} />}
    </>
  );
}

function getObject(json: string, sentence: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {
    // the error is shown below
  }
  throw new ApiProblem(sentence, { status: 422 });
}
