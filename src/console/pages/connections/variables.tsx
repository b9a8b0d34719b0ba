import { Button, Code, CopyButton, Group, List, Stack, Text } from "@mantine/core";
import { useMay } from "../../api/me.tsx";
import { useRead } from "../../api/queries.ts";
import { Icon } from "../../components/icon.tsx";
import { Mark } from "../../components/mark.tsx";
import { ProblemNote } from "../../components/notes.tsx";
import { getExampleOrigin } from "../../components/own_address.ts";
import { Records } from "../../components/records.tsx";
import { formatNamed, useFormats, useWords } from "../../i18n/language.ts";
import { type Connection, Result, TONES, useTest } from "./result.tsx";
import { CONNECTIONS } from "./words.ts";

/** Variable of the server with an example. The product starts only with all required ones of a connection or none. */
interface Variable {
  readonly name: string;
  readonly example: string;
  readonly isOptional?: boolean;
}

/** Variables of the connections that only the operator of the server sets up. */
export const VARIABLES: Readonly<Record<string, readonly Variable[]>> = {
  oidc: [
    { name: "OIDC_ISSUER", example: "https://login.company.com" },
    { name: "OIDC_CLIENT_ID", example: "passerelle" },
    { name: "OIDC_CLIENT_SECRET", example: "…", isOptional: true },
    { name: "PUBLIC_URL", example: getExampleOrigin() },
  ],
  model: [
    { name: "AI_BASE_URL", example: "https://api.mistral.ai/v1" },
    { name: "AI_MODELS", example: "mistral-large-latest" },
    { name: "AI_API_KEY", example: "…", isOptional: true },
  ],
};

/** Steps of a connection that variables describe. Their values are not shown. */
export function VariableConnection({ kind, variables }: {
  kind: string;
  variables: readonly Variable[];
}) {
  const words = useWords(CONNECTIONS);
  const listed = useRead("/api/connections", {});
  const connection = listed.data?.connections.find((it) => it.kind === kind);
  const state = connection?.state;
  const isSetUp = state !== undefined && state !== "not_set_up";
  const isDefined = (name: string) => connection?.variables?.find((it) => it.name === name)?.isSet;
  // A defined address of the product stays: the example would replace it.
  const block = variables.filter(({ name }) => name !== "PUBLIC_URL" || !isDefined(name))
    .map(({ name, example }) => `${name}=${example}`).join("\n");
  return (
    <Stack gap="md" maw={720}>
      <Text>{words.variables}</Text>
      <List type="ordered" spacing="xs">
        {connection?.redirectUri !== undefined && <Redirect uri={connection.redirectUri} />}
        <List.Item>
          <Text mb="xs">{words.copyBlock}</Text>
          <Copied label={words.example} text={block} />
        </List.Item>
        <List.Item>{words.giveBlock}</List.Item>
        <List.Item>{words.comeBack}</List.Item>
      </List>
      {connection && isSetUp && (
        <>
          <LastResult of={connection} />
          <Test kind={connection.kind} />
        </>
      )}
      <Records
        label={words.variable}
        rows={variables}
        keyOf={(it) => it.name}
        empty={null}
        columns={[
          { key: "name", label: words.variable, cell: (it) => <Code>{it.name}</Code> },
          { key: "meaning", label: words.meaning, cell: (it) => words.meanings[it.name] },
          {
            key: "state",
            label: words.state,
            cell: ({ name, isOptional }) => {
              const isSet = isDefined(name);
              if (isSet === undefined) return null;
              if (isSet) return <Mark tone="good">{words.isDefined}</Mark>;
              return isOptional
                ? <Mark tone="calm">{words.isOptional}</Mark>
                : <Mark tone="warning">{words.isMissing}</Mark>;
            },
          },
        ]}
      />
    </Stack>
  );
}

/** Step at the identity provider; without `PUBLIC_URL`, with the address that its example leads to. */
function Redirect({ uri }: { uri: string | null }) {
  const words = useWords(CONNECTIONS);
  return (
    <List.Item>
      <Text mb="xs">{words.register}</Text>
      <Copied label={words.redirect} text={uri ?? `${getExampleOrigin()}/auth/oidc/callback`} />
      {uri === null && <Text size="sm" c="dimmed" mt={4}>{words.redirectUnset}</Text>}
    </List.Item>
  );
}

/** Lines with a button that copies them. */
function Copied({ label, text }: { label: string; text: string }) {
  const words = useWords(CONNECTIONS);
  return (
    <>
      <Code
        block
        tabIndex={0}
        aria-label={label}
        className="ps-wrap"
        style={{ whiteSpace: "pre-wrap" }}
      >
        {text}
      </Code>
      <Group mt="xs">
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button
              size="compact-sm"
              variant="default"
              aria-label={formatNamed(copied ? words.copied : words.copy, label)}
              leftSection={copied && <Icon name="check" size={14} />}
              onClick={copy}
            >
              {copied ? words.copied : words.copy}
            </Button>
          )}
        </CopyButton>
      </Group>
    </>
  );
}

/** State of the connection by its last test or use. */
function LastResult({ of: { state, succeededAt } }: { of: Connection }) {
  const words = useWords(CONNECTIONS);
  const { moment } = useFormats();
  return (
    <Stack gap={4}>
      <Mark tone={TONES[state]}>{state === "fails" ? words.fails : words.states[state]}</Mark>
      <Text size="sm" c="dimmed">
        {succeededAt ? words.lastSuccess(moment(succeededAt)) : words.never}
      </Text>
    </Stack>
  );
}

/** Tests the connection with the values of the server. */
function Test({ kind }: { kind: Connection["kind"] }) {
  const words = useWords(CONNECTIONS);
  const test = useTest(kind);
  if (!useMay()("templates:write")) return null;
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        variant="default"
        loading={test.isPending}
        leftSection={<Icon name="play" size={14} />}
        onClick={() => test.mutate({})}
      >
        {words.test}
      </Button>
      <Result of={test.data} />
      <ProblemNote problem={test.error} />
    </Stack>
  );
}
