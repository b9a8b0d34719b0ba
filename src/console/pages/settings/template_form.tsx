import { Button, Collapse, Group, Select, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { ApiProblem } from "../../api/problem.ts";
import { readEtag, useAsk, useChange } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Confirm } from "../../components/confirm.tsx";
import { propertySchema } from "../../components/editor/property_schema.ts";
import { Icon } from "../../components/icon.tsx";
import { isAtFields, useMarks } from "../../components/grouped_template.tsx";
import { ProblemNote } from "../../components/notes.tsx";
import {
  mergedJson,
  parseProperties,
  type Property,
  SECRET_MASK,
  type TemplateProperties,
  withProperty,
  withTyped,
  writtenProperties as written,
} from "../../components/properties.tsx";
import { StaleNote, useChanges, useStoredDraft } from "../../components/stored_draft.tsx";
import { TextEditor } from "../../components/text_editor.tsx";
import { toast } from "../../components/toasts.tsx";
import { useLanguage, useWords } from "../../i18n/language.ts";
import { CopyTemplate } from "./template_copy.tsx";
import { TemplateGroups } from "./template_groups.tsx";
import { TEMPLATE } from "./template_words.ts";
import { SETTINGS } from "./words.ts";

type Template = components["schemas"]["Template"];
type Catalogue = components["schemas"]["TemplatePropertyCatalogue"];

export interface StoredTemplate {
  readonly name: string;
  readonly type: Template["type"];
  readonly properties: TemplateProperties;
  readonly etag: string;
}

const TOUCHES = ["/api/config", "/api/templates"];
const TYPES = ["document", "connector"] as const;
const getAddress = (name: string) => `/settings/templates/of/${encodeURIComponent(name)}`;

/** Form of a template, by fields or as JSON. */
export function TemplateForm({ stored, catalogues, isNew = false }: {
  stored: StoredTemplate;
  catalogues: readonly Catalogue[];
  isNew?: boolean;
}) {
  const words = useWords(TEMPLATE);
  const common = useWords(SETTINGS);
  const language = useLanguage();
  const changes = useChanges();
  const may = useMay();
  const form = useStoredDraft(getDraft(stored), { merged: mergedJson });
  const { type, json, typed } = form.draft;
  const isFixed = !may("templates:write") || type === "system" && !may("setup:write");
  const values = parseProperties(json);
  const known = findKnown(catalogues, { type, name: stored.name });
  const { check, save, remove } = useTemplateWork(stored, { form, values, isNew });
  const marks = useMarks();
  const problem = save.error ?? check.error;
  const isMarked = isAtFields(problem, (it) => known.some(({ name }) => name === it));
  return (
    <Stack gap="lg">
      {form.isStale && (
        <StaleNote
          changes={changes(
            parseProperties(form.before.json) ?? {},
            stored.properties,
            (it) => known.find(({ name }) => name === it)?.label[language] ?? it,
          )}
          {...form}
        />
      )}
      <fieldset disabled={save.isPending} ref={marks.area}>
        <Stack gap="md" maw={820}>
          <TextInput
            label={common.name}
            required
            readOnly={isFixed || type === "system"}
            value={form.draft.name}
            onChange={(it) => form.set({ name: it.currentTarget.value })}
          />
          {isNew && (
            <Select
              label={words.type}
              allowDeselect={false}
              data={TYPES.map((value) => ({ value, label: words.types[value] ?? value }))}
              value={type}
              onChange={(it) => form.set({ type: TYPES.find((one) => one === it) ?? type })}
            />
          )}
          <TemplateGroups
            known={known}
            values={withTyped(values ?? {}, typed)}
            errors={marks.fields}
            times={marks.times}
            isFixed={isFixed || values === undefined}
            onChange={(property, value) => {
              marks.clear(property.name);
              form.set(withValue({ values, typed }, property, value));
            }}
          />
        </Stack>
      </fieldset>
      <FoldedJson isWrong={values === undefined}>
        {known.some((it) => it.type === "secret") && (
          <Text size="sm" c="dimmed">{words.secretsHint}</Text>
        )}
        <TextEditor
          label={words.json}
          language="json"
          value={json}
          schema={propertySchema(known, language)}
          height="min(640px, 70dvh)"
          isHeld={save.isPending}
          {...!isFixed && { onChange: (it: string) => form.set({ json: it }) }}
        />
      </FoldedJson>
      <ProblemNote problem={form.isStale || isMarked ? undefined : problem} />
      {!isFixed && (
        <Group>
          <Button
            loading={save.isPending}
            disabled={form.isStale}
            onClick={() => {
              check.reset();
              marks.mark({});
              save.mutate(undefined, { onError: marks.markProblem });
            }}
          >
            {common.save}
          </Button>
          <Button
            variant="default"
            loading={check.isPending}
            leftSection={<Icon name="validate" />}
            onClick={() => {
              save.reset(); // the reason of the error may be fixed
              marks.mark({});
              check.mutate(undefined, { onError: marks.markProblem });
            }}
          >
            {words.check}
          </Button>
          {!isNew && <CopyTemplate of={stored.name} />}
          {!isNew && type !== "system" && (
            <Confirm
              label={common.remove}
              question={words.removeQuestion}
              work={remove}
              run={() => remove.mutateAsync(undefined)}
              leftSection={<Icon name="trash" />}
            />
          )}
          <Text size="sm" c="dimmed" role="status">
            {check.data?.json === json ? words.sound : ""}
          </Text>
        </Group>
      )}
    </Stack>
  );
}

/** Returns the properties that the catalogue of a template has fields for. */
function findKnown(
  catalogues: readonly Catalogue[],
  { type, name }: Pick<StoredTemplate, "name" | "type">,
): readonly Property[] {
  const catalogue = catalogues.find((it) =>
    it.type === type && (it.name === undefined || it.name === name)
  );
  return catalogue?.properties.filter((it) => !it.name.includes("<")) ?? [];
}

/** The template as text, closed at first; text that is no JSON stays open. */
function FoldedJson({ isWrong, children }: { isWrong: boolean; children: ReactNode }) {
  const words = useWords(TEMPLATE);
  const [isOpen, { toggle }] = useDisclosure();
  const isShown = isOpen || isWrong;
  return (
    <Stack gap="xs" maw={820}>
      <Group>
        <Button variant="subtle" size="compact-sm" aria-expanded={isShown} onClick={toggle}>
          {words.asJson}
        </Button>
      </Group>
      <Collapse expanded={isShown}>{isShown && children}</Collapse>
      {isWrong && <Text size="sm" c="var(--ps-error)">{words.jsonWrong}</Text>}
    </Stack>
  );
}

/** Returns the check of a template without saving, the saving and the removal. */
function useTemplateWork(stored: StoredTemplate, { form, values, isNew }: {
  form: ReturnType<typeof useStoredDraft<ReturnType<typeof getDraft>["value"]>>;
  values: TemplateProperties | undefined;
  isNew: boolean;
}) {
  const { jsonWrong } = useWords(TEMPLATE);
  const { saved } = useWords(SETTINGS);
  const [, go] = useLocation();
  const { type, json, typed } = form.draft;
  const name = form.draft.name.trim();
  const send = async (isDry: boolean) => {
    if (!values) throw new ApiProblem(jsonWrong, { status: 422 });
    const body = { name, type, properties: withTyped(values, typed) };
    const dry = isDry ? { dry_run: "true" as const } : {};
    const { response } = isNew
      ? await api.POST("/api/config/template", { params: { query: dry }, body })
      : await api.PUT("/api/config/template", {
        params: {
          query: { name: stored.name, ...dry },
          header: { "if-match": form.etag },
        },
        body,
      });
    return { json, etag: readEtag(response) };
  };
  const check = useAsk(() => send(true));
  const save = useChange(async () => {
    const { etag } = await send(false);
    toast(saved);
    form.saved(form.draft, etag);
    // The old address no longer exists.
    if (isNew || name !== stored.name) go(getAddress(name), { replace: true });
  }, TOUCHES);
  const remove = useChange(async () => {
    await api.DELETE("/api/config/template", { params: { query: { name: stored.name } } });
    form.drop();
    go("/settings/templates", { replace: true });
  }, TOUCHES);
  return { check, save, remove };
}

function getDraft({ etag, properties, ...rest }: StoredTemplate) {
  const typed: TemplateProperties = {};
  return { etag, value: { ...rest, json: written(properties), typed } };
}

/** Returns the changed part of the draft. A typed secret is kept apart, so that the JSON shows its mask only. */
function withValue(
  { values, typed }: {
    readonly values: TemplateProperties | undefined;
    readonly typed: TemplateProperties;
  },
  { name, type }: Property,
  value: string,
) {
  if (type !== "secret") return { json: withProperty(values, name, value) };
  const { [name]: _, ...others } = typed;
  return {
    json: withProperty(values, name, value && SECRET_MASK),
    typed: value === "" || value === SECRET_MASK ? others : { ...others, [name]: value },
  };
}
