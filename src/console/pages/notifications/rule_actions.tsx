import { Button, Checkbox, Group, Paper, Select, Stack, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { useRead } from "../../api/queries.ts";
import { Icon } from "../../components/icon.tsx";
import { type Property, PropertyField } from "../../components/properties.tsx";
import { useWords } from "../../i18n/language.ts";
import { parseCalls, parseParameters, type RuleCall, writeParameters } from "./rule_calls.ts";
import { RULE_WORDS } from "./rule_words.ts";

const FRESH: RuleCall = {
  description: "",
  connector: "",
  target: "",
  parameters: {},
  stopOnFailure: false,
};

/** Calls of connectors as fields; text that is no list of calls stays a text. */
export function RuleActions({ property, isFixed, value, onChange }: {
  property: Property;
  isFixed: boolean;
  value: string;
  onChange: (value: string) => void;
}) {
  const words = useWords(RULE_WORDS);
  const calls = parseCalls(value);
  const listed = useRead("/api/config/templates", { query: { type: "connector", limit: 500 } });
  if (!calls) {
    return <PropertyField {...{ property, isFixed, value, onChange }} />;
  }
  const write = (next: readonly RuleCall[]) =>
    onChange(next.length === 0 ? "" : JSON.stringify(next));
  const connectors = listed.data?.templates.map((it) => it.name) ?? [];
  return (
    <Stack gap="sm" style={{ gridColumn: "1 / -1" }}>
      {calls.map((call, index) => (
        <Call
          key={`${index} of ${calls.length}`}
          {...{ call, connectors, isFixed }}
          onChange={(it) => write(calls.with(index, it))}
          onRemove={() => write(calls.toSpliced(index, 1))}
        />
      ))}
      {!isFixed && (
        <Group>
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon name="plus" />}
            onClick={() => write([...calls, FRESH])}
          >
            {words.addCall}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function Call({ call, connectors, isFixed, onChange, onRemove }: {
  call: RuleCall;
  connectors: readonly string[];
  isFixed: boolean;
  onChange: (call: RuleCall) => void;
  onRemove: () => void;
}) {
  const words = useWords(RULE_WORDS);
  const [typed, setTyped] = useState(() => writeParameters(call.parameters));
  const { connector } = call;
  const names = [...new Set([...connectors, ...connector ? [connector] : []])];
  return (
    <Paper withBorder p="sm">
      <Stack gap="xs">
        <TextInput
          label={words.callDescription}
          readOnly={isFixed}
          value={call.description}
          onChange={(it) => onChange({ ...call, description: it.currentTarget.value })}
        />
        <Group grow align="flex-start">
          <Select
            label={words.connector}
            searchable
            readOnly={isFixed}
            data={names}
            value={connector || null}
            onChange={(it) => onChange({ ...call, connector: it ?? "" })}
          />
          <TextInput
            label={words.target}
            readOnly={isFixed}
            value={call.target}
            onChange={(it) => onChange({ ...call, target: it.currentTarget.value })}
          />
        </Group>
        <Textarea
          label={words.parameters}
          description={words.parametersHint}
          readOnly={isFixed}
          autosize
          minRows={2}
          spellCheck={false}
          value={typed}
          onChange={(it) => {
            setTyped(it.currentTarget.value);
            onChange({ ...call, parameters: parseParameters(it.currentTarget.value) });
          }}
        />
        <Group justify="space-between">
          <Checkbox
            label={words.stopOnFailure}
            disabled={isFixed}
            checked={call.stopOnFailure}
            onChange={(it) => onChange({ ...call, stopOnFailure: it.currentTarget.checked })}
          />
          {!isFixed && (
            <Button variant="subtle" size="xs" onClick={onRemove}>{words.removeCall}</Button>
          )}
        </Group>
      </Stack>
    </Paper>
  );
}
