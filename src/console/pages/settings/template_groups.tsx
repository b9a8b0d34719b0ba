import { Box, Stack } from "@mantine/core";
import { FieldGroup, Folded } from "../../components/grouped_template.tsx";
import {
  givenProperty,
  type Property,
  PropertyField,
  type TemplateProperties,
} from "../../components/properties.tsx";
import { useWords } from "../../i18n/language.ts";
import { StylesheetField } from "./stylesheet_field.tsx";
import { NextTimes } from "./template_times.tsx";
import { TEMPLATE } from "./template_words.ts";

/** Groups in the order of the form; a property belongs to the first that matches its name. */
const GROUPS = [
  ["conversion", /^(transform|iban|rules|element|language)$/],
  ["files", /^(inputDir|outputDir|report|version|downloadLanguage)$/],
  ["sending", /^(direction|submit|treatment|preflight|company|siren)$/],
  ["schedule", /^schedule\./],
  ["mail", /^smtp(?!Ca|Timeout|Connections)/],
  ["sftp", /^sftp/],
  ["publisher", /^bip/],
  ["advanced", /^(mode|smtp.*|timeoutSeconds|maxAttempts|callsPerSecond|breaker.*|maxRows)$/],
] as const;
type Group = (typeof GROUPS)[number][0] | "general";
const ORDER: readonly Group[] = ["general", ...GROUPS.map(([name]) => name)];

function getGroup(name: string): Group {
  return GROUPS.find(([, names]) => names.test(name))?.[0] ?? "general";
}

/** Scrolls to the schedules when the address of the page ends in `#schedule`. */
function showIfLinked(group: HTMLElement | null): void {
  if (location.hash === "#schedule") group?.scrollIntoView({ block: "center" });
}

/** Fields of a template in groups; those that few change are folded. */
export function TemplateGroups({ known, values, errors, times, isFixed, onChange }: {
  known: readonly Property[];
  values: TemplateProperties;
  /** Sentences about wrong values, by property. */
  errors: TemplateProperties;
  /** Number of marks of each property. Each mark opens its folded group. */
  times: Readonly<Record<string, number>>;
  isFixed: boolean;
  onChange: (property: Property, value: string) => void;
}) {
  const words = useWords(TEMPLATE);
  return (
    <Stack gap="md">
      {ORDER.map((group) => {
        const own = known.filter((it) => getGroup(it.name) === group);
        const fields = own.map((it) => {
          const Field = it.name === "transform" ? StylesheetField : PropertyField;
          return (
            <Field
              key={it.name}
              property={it}
              isFixed={isFixed}
              error={errors[it.name]}
              value={givenProperty(values, it.name)}
              onChange={(value) => onChange(it, value)}
            />
          );
        });
        if (fields.length === 0) return null;
        const title = words.groups[group];
        if (group === "advanced") {
          const marked = own.reduce((sum, it) => sum + (times[it.name] ?? 0), 0);
          return (
            <Folded key={`${group} ${marked}`} title={title} isOpen={marked > 0}>{fields}</Folded>
          );
        }
        return (
          <Box key={group} ref={group === "schedule" ? showIfLinked : undefined}>
            <FieldGroup title={title} columns={group === "schedule" ? 1 : 2}>
              {fields}
              {group === "schedule" && <NextTimes of={values} known={known} />}
            </FieldGroup>
          </Box>
        );
      })}
    </Stack>
  );
}
