import {
  Alert,
  Button,
  Group,
  List,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { useState } from "react";
import { useLocation } from "wouter";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { Problem } from "../../api/problem.ts";
import { useChange } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Confirm } from "../../components/confirm.tsx";
import { propertySchema } from "../../components/editor/property_schema.ts";
import { Icon } from "../../components/icon.tsx";
import { ProblemNote } from "../../components/notes.tsx";
import {
  type Properties,
  propertiesOf,
  PropertyField,
  withProperty,
} from "../../components/properties.tsx";
import { TextEditor } from "../../components/text_editor.tsx";
import { toast } from "../../components/toasts.tsx";
import { useLanguage, useWords } from "../../i18n/language.ts";
import { CopyTemplate } from "./template_copy.tsx";
import { NextTimes } from "./template_times.tsx";
import { TEMPLATE } from "./template_words.ts";
import { SETTINGS } from "./words.ts";

type Template = components["schemas"]["Template"];
type Catalogue = components["schemas"]["TemplatePropertyCatalogue"];

export interface StoredTemplate {
  readonly name: string;
  readonly type: Template["type"];
  readonly properties: Properties;
  readonly etag: string;
}

const TOUCHES = ["/api/config", "/api/templates"];
const TYPES = ["document", "connector"] as const;
const written = (properties: Properties) => JSON.stringify(properties, null, 2);
const addressOf = (name: string) => `/settings/templates/of/${encodeURIComponent(name)}`;

/** What is typed stays when somebody else saves; what was not touched follows. */
export function TemplateForm({ stored, catalogues, isNew = false }: {
  stored: StoredTemplate;
  catalogues: readonly Catalogue[];
  isNew?: boolean;
}) {
  const words = useWords(TEMPLATE);
  const common = useWords(SETTINGS);
  const language = useLanguage();
  const [, go] = useLocation();
  const may = useMay();
  const [base, setBase] = useState(stored);
  const [name, setName] = useState(stored.name);
  const [type, setType] = useState(stored.type);
  const [json, setJson] = useState(written(stored.properties));
  const isFixed = !may("templates:write") || type === "system" && !may("setup:write");
  const isDirty = name !== base.name || type !== base.type || json !== written(base.properties);
  const follow = () => {
    setBase(stored);
    setName(stored.name);
    setType(stored.type);
    setJson(written(stored.properties));
  };
  const isStale = base.etag !== stored.etag;
  if (isStale && !isDirty) follow();
  const values = propertiesOf(json);
  const known =
    catalogues.find((it) => it.type === type && (it.name === undefined || it.name === stored.name))
      ?.properties.filter((it) => !it.name.includes("<")) ?? [];
  const send = async (isDry: boolean) => {
    if (!values) throw new Problem(words.jsonWrong, { status: 422 });
    const body = { name, type, properties: values };
    const dry = isDry ? { dry_run: "true" as const } : {};
    if (isNew) await api.POST("/api/config/template", { params: { query: dry }, body });
    else {
      await api.PUT("/api/config/template", {
        params: {
          query: { name: base.name, ...dry },
          header: { "if-match": base.etag },
        },
        body,
      });
    }
    return json;
  };
  const check = useChange(() => send(true));
  const save = useChange(async () => {
    await send(false);
    toast(common.saved);
    if (isNew || name !== base.name) go(addressOf(name));
    else if (values) {
      setJson(written(values));
      setBase({ ...base, name, type, properties: values }); // what is read next is taken over
    }
  }, TOUCHES);
  const remove = useChange(
    () => api.DELETE("/api/config/template", { params: { query: { name: base.name } } }),
    TOUCHES,
  );
  return (
    <Stack gap="lg">
      {isStale && isDirty && (
        <Alert color="yellow" title={words.stale} icon={<Icon name="warning" />} role="alert">
          <Text size="sm">{words.staleHint}</Text>
          <List size="sm">
            {changesOf(base.properties, stored.properties, words.nothing).map((it) => (
              <List.Item key={it} className="ps-wrap">{it}</List.Item>
            ))}
          </List>
          <Group gap="xs" mt="xs">
            <Button
              size="compact-md"
              variant="default"
              onClick={() =>
                setBase(stored)}
            >
              {words.keepMine}
            </Button>
            <Button size="compact-md" variant="default" onClick={follow}>{words.takeTheirs}</Button>
          </Group>
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <Stack gap="sm">
          <TextInput
            label={common.name}
            required
            readOnly={isFixed || type === "system"}
            value={name}
            onChange={(it) => setName(it.currentTarget.value)}
          />
          {isNew && (
            <Select
              label={words.type}
              allowDeselect={false}
              data={TYPES.map((value) => ({ value, label: words.types[value] ?? value }))}
              value={type}
              onChange={(it) => setType(TYPES.find((one) => one === it) ?? type)}
            />
          )}
          {known.map((it) => (
            <PropertyField
              key={it.name}
              property={it}
              isFixed={isFixed || values === undefined}
              value={values?.[it.name] ?? ""}
              onChange={(value) => setJson(withProperty(values, it.name, value))}
            />
          ))}
          {values && <NextTimes of={values} />}
        </Stack>
        <Stack gap="xs">
          <Text size="sm" fw={600}>{words.json}</Text>
          {known.some((it) => it.type === "secret") && (
            <Text size="sm" c="dimmed">{words.secretsHint}</Text>
          )}
          <TextEditor
            label={words.json}
            language="json"
            value={json}
            schema={propertySchema(known, language)}
            height="min(640px, 70dvh)"
            {...!isFixed && { onChange: setJson }}
          />
          {values === undefined && <Text size="sm" c="var(--ps-error)">{words.jsonWrong}</Text>}
        </Stack>
      </SimpleGrid>
      <ProblemNote problem={isStale ? undefined : save.error ?? check.error} />
      {!isFixed && (
        <Group>
          <Button
            loading={save.isPending}
            disabled={isStale && isDirty}
            onClick={() => save.mutate(undefined)}
          >
            {common.save}
          </Button>
          <Button
            variant="default"
            loading={check.isPending}
            leftSection={<Icon name="validate" />}
            onClick={() => check.mutate(undefined)}
          >
            {words.check}
          </Button>
          {!isNew && <CopyTemplate of={base.name} />}
          {!isNew && type !== "system" && (
            <Confirm
              label={common.remove}
              question={words.removeQuestion}
              work={remove}
              run={() => remove.mutateAsync(undefined).then(() => go("/settings/templates"))}
              leftSection={<Icon name="trash" />}
            />
          )}
          <Text size="sm" c="dimmed" role="status">
            {check.data === json ? words.sound : ""}
          </Text>
        </Group>
      )}
    </Stack>
  );
}

function changesOf(before: Properties, after: Properties, nothing: string): string[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.filter((it) => before[it] !== after[it])
    .map((it) => `${it}: ${before[it] ?? nothing} → ${after[it] ?? nothing}`);
}
