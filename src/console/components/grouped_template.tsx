import { Button, Collapse, Group, Paper, SimpleGrid, Stack, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api } from "../api/client.ts";
import type { ApiProblem } from "../api/problem.ts";
import { readEtag, useChange, useRead } from "../api/queries.ts";
import type { components } from "../api/schema.d.ts";
import { defineWords, useLanguage, useWords } from "../i18n/language.ts";
import { Icon } from "./icon.tsx";
import { ProblemNote } from "./notes.tsx";
import {
  givenProperty,
  type Property,
  PropertyField,
  type TemplateProperties,
} from "./properties.tsx";
import { Loaded } from "./records.tsx";
import { StaleNote, useChanges, useStoredDraft } from "./stored_draft.tsx";
import { toast } from "./toasts.tsx";

const WORDS = defineWords({
  en: { saved: "Saved" },
  fr: { saved: "Enregistré" },
});

type Template = components["schemas"]["Template"];
const TOUCHES = ["/api/config", "/api/templates", "/api/connections"];

/** Fields under one heading. */
export interface PropertyGroup {
  readonly title: string;
  readonly names: readonly string[];
  /** Folded until the reader opens it, for settings that few change. */
  readonly isFolded?: boolean;
}

/** Values of the form, and the two ways to use them. */
export interface GroupedForm {
  readonly values: TemplateProperties;
  readonly isSaving: boolean;
  readonly isStale: boolean;
  set(name: string, value: string): void;
  /** Stores the values; rejects if that fails, which the form shows. */
  save(): Promise<void>;
}

interface Stored {
  readonly type: Template["type"];
  readonly properties: TemplateProperties;
  readonly etag: string;
}

interface GroupedTemplateProps {
  readonly name: string;
  readonly groups: readonly PropertyGroup[];
  readonly isFixed: boolean;
  /** Buttons and notes below the fields. */
  readonly children: (form: GroupedForm) => ReactNode;
}

/** Form of some properties of a template, in groups. The other properties keep their stored values. */
export function GroupedTemplate(props: GroupedTemplateProps) {
  const { name } = props;
  const catalogues = useRead("/api/config/template-properties");
  const stored = useQuery<Stored, ApiProblem>({
    queryKey: ["/api/config/template", name],
    async queryFn({ signal }) {
      const { data, response } = await api.GET("/api/config/template", {
        params: { query: { name } },
        signal,
      });
      const { type = "system", properties = {} } = data ?? {};
      return { type, properties, etag: readEtag(response) };
    },
  });
  return (
    <Loaded of={catalogues}>
      {({ catalogues }) => (
        <Loaded of={stored}>
          {(it) => (
            <Fields
              {...props}
              stored={it}
              known={catalogues.find(({ type, name: of }) =>
                type === it.type && (of === undefined || of === name)
              )?.properties ?? []}
            />
          )}
        </Loaded>
      )}
    </Loaded>
  );
}

function Fields({ name, groups, isFixed, stored, known, children }: GroupedTemplateProps & {
  readonly stored: Stored;
  readonly known: readonly Property[];
}) {
  const words = useWords(WORDS);
  const language = useLanguage();
  const changes = useChanges();
  const names = groups.flatMap((it) => it.names);
  const pick = (of: TemplateProperties) =>
    Object.fromEntries(names.map((it) => [it, givenProperty(of, it)]));
  const form = useStoredDraft({ value: pick(stored.properties), etag: stored.etag });
  const work = useChange(async () => {
    const all = { ...stored.properties, ...form.draft };
    const properties = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ""));
    const { response } = await api.PUT("/api/config/template", {
      params: { query: { name }, header: { "if-match": form.etag } },
      body: { name, type: stored.type, properties },
    });
    toast(words.saved);
    form.saved(form.draft, readEtag(response));
  }, TOUCHES);
  const labelOf = (key: string) => known.find((it) => it.name === key)?.label[language] ?? key;
  const field = (key: string) => {
    const property = known.find((it) => it.name === key);
    return property && (
      <PropertyField
        key={key}
        property={property}
        isFixed={isFixed}
        value={givenProperty(form.draft, key)}
        onChange={(value) => form.set({ [key]: value })}
      />
    );
  };
  return (
    <fieldset disabled={work.isPending}>
      <Stack gap="md" maw={820}>
        {form.isStale && (
          <StaleNote changes={changes(form.before, pick(stored.properties), labelOf)} {...form} />
        )}
        {groups.map(({ title, names, isFolded = false }) =>
          isFolded
            ? <Folded key={title} title={title}>{names.map(field)}</Folded>
            : <FieldGroup key={title} title={title}>{names.map(field)}</FieldGroup>
        )}
        <ProblemNote problem={form.isStale ? undefined : work.error} />
        {children({
          values: form.draft,
          isSaving: work.isPending,
          isStale: form.isStale,
          set: (key, value) => form.set({ [key]: value }),
          save: () => work.mutateAsync(undefined),
        })}
      </Stack>
    </fieldset>
  );
}

/** Fields under one heading, in two columns where there is space. */
export function FieldGroup({ title, columns = 2, children }: {
  title: string;
  columns?: 1 | 2;
  children: ReactNode;
}) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title} className="ps-card">
      <Title order={2} size="h5" mb="sm">{title}</Title>
      <SimpleGrid cols={{ base: 1, sm: columns }} spacing="md" style={{ alignItems: "end" }}>
        {children}
      </SimpleGrid>
    </Paper>
  );
}

/** Group of fields that few readers need, closed at first. */
export function Folded({ title, columns = 2, children }: {
  title: string;
  columns?: 1 | 2;
  children: ReactNode;
}) {
  const [isOpen, { toggle }] = useDisclosure();
  return (
    <Stack gap="xs">
      <Group>
        <Button
          variant="subtle"
          size="compact-sm"
          aria-expanded={isOpen}
          leftSection={<Icon name={isOpen ? "up" : "down"} size={14} />}
          onClick={toggle}
        >
          {title}
        </Button>
      </Group>
      <Collapse expanded={isOpen}>
        <FieldGroup title={title} columns={columns}>{children}</FieldGroup>
      </Collapse>
    </Stack>
  );
}
