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
import { COMPANY } from "../company/words.ts";
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
/** Groups of the template of a company, as on its page. */
const COMPANY_GROUPS = [
  ["identity", /^(name|siren|siret|vatNumber)$/],
  ["address", /^(street2?|postCode|city|country)$/],
  ["bank", /^(iban|bic)$/],
  ["vat", /^(vatRegime|electronicAddress)$/],
] as const;
type Group = (typeof GROUPS | typeof COMPANY_GROUPS)[number][0] | "general";

/** Returns the groups of a template with their properties, in the order of the form. */
function groupProperties(known: readonly Property[]): (readonly [Group, readonly Property[]])[] {
  const isCompany = known.some((it) => it.name === "vatRegime");
  const groups: readonly (readonly [Group, RegExp])[] = isCompany ? COMPANY_GROUPS : GROUPS;
  const groupOf = ({ name }: Property) =>
    groups.find(([, names]) => names.test(name))?.[0] ?? "general";
  return (["general", ...groups.map(([name]) => name)] as const)
    .map((group) => [group, known.filter((it) => groupOf(it) === group)] as const);
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
  const { groups } = useWords(TEMPLATE);
  const { identity, address, bank, vat } = useWords(COMPANY);
  const titles = { ...groups, identity, address, bank, vat };
  return (
    <Stack gap="md">
      {groupProperties(known).map(([group, own]) => {
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
        const title = titles[group];
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
