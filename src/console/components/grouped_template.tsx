import { Box, Button, Collapse, Group, Paper, SimpleGrid, Stack, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Children, type ReactNode, useEffect, useRef, useState } from "react";
import { api } from "../api/client.ts";
import { ApiProblem } from "../api/problem.ts";
import { readEtag, useChange, useRead } from "../api/queries.ts";
import type { components } from "../api/schema.d.ts";
import { defineWords, sentence, useLanguage, useWords } from "../i18n/language.ts";
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
  /** Choice above the fields that decides which of them are shown. */
  readonly choice?: (form: GroupedForm) => ReactNode;
  /** Checks whether a field is shown; hidden fields keep their values. */
  readonly isShown?: (name: string, values: TemplateProperties) => boolean;
}

/** Values of the form, and the two ways to use them. */
export interface GroupedForm {
  readonly values: TemplateProperties;
  readonly isSaving: boolean;
  readonly isStale: boolean;
  set(name: string, value: string): void;
  /** Shows a sentence at each of these fields until it is changed, and goes to the first. */
  mark(fields: TemplateProperties): void;
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
  /** Note next to a field, by property. */
  readonly notes?: (values: TemplateProperties) => Readonly<Record<string, ReactNode>>;
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

function Fields(
  { name, groups, isFixed, stored, known, notes, children }: GroupedTemplateProps & {
    readonly stored: Stored;
    readonly known: readonly Property[];
  },
) {
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
  const marks = useMarks();
  const shown: GroupedForm = {
    values: form.draft,
    isSaving: work.isPending,
    isStale: form.isStale,
    set: (key, value) => {
      marks.clear(key);
      form.set({ [key]: value });
    },
    mark: marks.mark,
    save: () =>
      work.mutateAsync(undefined).then(() => marks.mark({}), (error) => {
        marks.mark(readWrongFields(error));
        throw error;
      }),
  };
  const noted = notes?.(form.draft) ?? {};
  const isMarked = Object.keys(readWrongFields(work.error)).some((it) => names.includes(it));
  const labelOf = (key: string) => known.find((it) => it.name === key)?.label[language] ?? key;
  const field = (key: string) => {
    const property = known.find((it) => it.name === key);
    return property && (
      <Stack key={key} gap={6}>
        <PropertyField
          property={property}
          isFixed={isFixed}
          error={marks.fields[key]}
          value={givenProperty(form.draft, key)}
          onChange={(value) => shown.set(key, value)}
        />
        {noted[key]}
      </Stack>
    );
  };
  return (
    <fieldset disabled={work.isPending} ref={marks.area}>
      <Stack gap="md" maw={820}>
        {form.isStale && (
          <StaleNote changes={changes(form.before, pick(stored.properties), labelOf)} {...form} />
        )}
        {groups.map(({ title, names, isFolded = false, choice, isShown }) => {
          const fields = names.filter((it) => isShown?.(it, form.draft) ?? true).map(field);
          const lead = choice?.(shown);
          if (fields.length === 0 && !lead) return null;
          if (isFolded) {
            const times = names.reduce((sum, it) => sum + (marks.times[it] ?? 0), 0);
            return (
              <Folded key={`${title} ${times}`} title={title} isOpen={times > 0}>{fields}</Folded>
            );
          }
          return <FieldGroup key={title} title={title} choice={lead}>{fields}</FieldGroup>;
        })}
        <ProblemNote problem={form.isStale || isMarked ? undefined : work.error} />
        {children(shown)}
      </Stack>
    </fieldset>
  );
}

/** Returns the sentences of an API answer about single fields, by property. */
export function readWrongFields(problem: unknown): TemplateProperties {
  const fields = problem instanceof ApiProblem ? problem.details["fields"] : undefined;
  const given = typeof fields === "object" && fields !== null ? Object.entries(fields) : [];
  return Object.fromEntries(
    given.map(([name, text]) => [name, sentence(capitalize(String(text)))]),
  );
}

/** Begins a sentence of the API with a capital, unless it begins with a value such as a path. */
function capitalize(text: string): string {
  return text.replace(/^\p{L}+(?=[ '])/u, (word) => word.charAt(0).toUpperCase() + word.slice(1));
}

/** Tells whether an error concerns only fields that the form shows, so that it needs no note. */
export function isAtFields(problem: unknown, isShown: (name: string) => boolean): boolean {
  const wrong = Object.keys(readWrongFields(problem));
  return wrong.length > 0 && wrong.every(isShown);
}

/** Sentences at the fields of a form. New ones move the focus to the first field that has one. */
export function useMarks() {
  const area = useRef<HTMLFieldSetElement>(null);
  const [fields, setFields] = useState<TemplateProperties>({});
  const [marked, setMarked] = useState(0);
  const [times, setTimes] = useState<Readonly<Record<string, number>>>({});
  useEffect(() => {
    const first = area.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    first?.focus({ preventScroll: true });
    first?.scrollIntoView({ block: "center" }); // the header of the page covers its edge
  }, [marked]);
  const mark = (wrong: TemplateProperties) => {
    setFields(wrong);
    setMarked((it) => it + 1);
    setTimes((it) => ({
      ...it,
      ...Object.fromEntries(Object.keys(wrong).map((name) => [name, (it[name] ?? 0) + 1])),
    }));
  };
  return {
    area,
    fields,
    /** Counts the marks of each field. Each mark opens its folded group, which then stays open. */
    times,
    mark,
    /** Marks the fields that an error names. */
    markProblem: (problem: unknown) => mark(readWrongFields(problem)),
    clear(name: string) {
      setFields(({ [name]: _, ...others }) => others);
    },
  };
}

/** Fields under one heading, in two columns where there is space. */
export function FieldGroup({ title, columns = 2, choice, children }: {
  title: string;
  columns?: 1 | 2;
  /** Choice above the fields. */
  choice?: ReactNode;
  children: ReactNode;
}) {
  const isEmpty = Children.count(children) === 0;
  return (
    <Paper withBorder p="md" component="section" aria-label={title} className="ps-card">
      <Title order={2} size="h5" mb="sm">{title}</Title>
      {choice && <Box mb={isEmpty ? 0 : "md"}>{choice}</Box>}
      {!isEmpty && (
        <SimpleGrid cols={{ base: 1, sm: columns }} spacing="md" style={{ alignItems: "start" }}>
          {children}
        </SimpleGrid>
      )}
    </Paper>
  );
}

/** Group of fields that few readers need, closed at first. */
export function Folded({ title, columns = 2, isOpen: isOpenFirst = false, children }: {
  title: string;
  columns?: 1 | 2;
  /** Open at first. */
  isOpen?: boolean;
  children: ReactNode;
}) {
  const [isOpen, { toggle }] = useDisclosure(isOpenFirst);
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
