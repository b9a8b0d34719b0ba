import { MultiSelect, Select, Stack } from "@mantine/core";
import { useMay } from "../../api/me.tsx";
import { useRead } from "../../api/queries.ts";
import { FieldGroup } from "../../components/grouped_template.tsx";
import {
  givenProperty,
  type Property,
  PropertyField,
  type TemplateProperties,
} from "../../components/properties.tsx";
import { useLanguage, useWords } from "../../i18n/language.ts";
import { RuleActions } from "./rule_actions.tsx";
import { RULE_WORDS } from "./rule_words.ts";

/** Fields of a rule in the order of its sentence: when, to whom, with which texts, and what else happens. */
const GROUPS = {
  rule: ["enabled", "description"],
  trigger: ["trigger.status", "trigger.reason", "direction"],
  recipients: ["target.type", "target.name", "channel.portal", "channel.email", "email.list"],
  texts: ["subject", "language", "portal.message", "body", "attachPdf", "chart"],
  actions: ["actions"],
} as const;
const GROUP_NAMES = Object.keys(GROUPS) as readonly (keyof typeof GROUPS)[];

interface FieldProps {
  readonly property: Property;
  readonly values: TemplateProperties;
  readonly isFixed: boolean;
  readonly onChange: (value: string) => void;
}

/** Form of a rule. A property that no group names, such as a new channel's, is among the recipients. */
export function RuleFields({ known, values, isFixed, onChange }: {
  known: readonly Property[];
  values: TemplateProperties;
  isFixed: boolean;
  onChange: (name: string, value: string) => void;
}) {
  const words = useWords(RULE_WORDS);
  const grouped: readonly string[] = GROUP_NAMES.flatMap((it) => GROUPS[it]);
  const others = known.map((it) => it.name).filter((it) => !grouped.includes(it));
  return (
    <Stack gap="md">
      {GROUP_NAMES.map((group) => {
        const names = [...GROUPS[group], ...group === "recipients" ? others : []];
        return (
          <FieldGroup key={group} title={words.groups[group]}>
            {names.map((name) => {
              const property = known.find((it) => it.name === name);
              return property && (
                <RuleField
                  key={name}
                  {...{ property, values, isFixed }}
                  onChange={(value) => onChange(name, value)}
                />
              );
            })}
          </FieldGroup>
        );
      })}
    </Stack>
  );
}

function RuleField(props: FieldProps) {
  const { property, values, isFixed, onChange } = props;
  switch (property.name) {
    case "trigger.status":
      return <CodeList {...props} of="statuses" />;
    case "trigger.reason":
      return <CodeList {...props} of="reasons" />;
    case "target.name":
      return <TargetName {...props} />;
    case "actions":
      return (
        <RuleActions
          property={property}
          isFixed={isFixed}
          value={givenProperty(values, property.name)}
          onChange={onChange}
        />
      );
    default:
      return <Plain {...props} />;
  }
}

function Plain({ property, values, isFixed, onChange }: FieldProps) {
  return (
    <PropertyField
      property={property}
      isFixed={isFixed}
      value={givenProperty(values, property.name)}
      onChange={onChange}
    />
  );
}

/** Choice of codes by their labels; a code that the catalogue lacks stays. */
function CodeList({ property, values, isFixed, onChange, of }: FieldProps & {
  readonly of: "statuses" | "reasons";
}) {
  const language = useLanguage();
  const { data } = useRead("/api/catalogues/{name}", { path: { name: of } });
  const chosen = givenProperty(values, property.name).split(",").map((it) => it.trim())
    .filter(Boolean);
  const listed = (data?.items ?? []).map(({ code, label }) => ({ value: code, label }));
  const codes = [...new Map(listed.map((it) => [it.value, it])).values()];
  const unknown = [...new Set(chosen)].filter((it) => !codes.some(({ value }) => value === it));
  return (
    <MultiSelect
      label={property.label[language]}
      placeholder={chosen.length === 0 ? property.otherwise?.[language] : undefined}
      searchable
      clearable
      readOnly={isFixed}
      data={[...codes, ...unknown.map((it) => ({ value: it, label: it }))]}
      value={chosen}
      onChange={(it) => onChange(it.join(","))}
    />
  );
}

/** Most users or roles offered for choice. */
const MAX_NAMES = 500;

/** Choice of the user or role; readers who may not list them type the name. */
function TargetName(props: FieldProps) {
  const { property, values, isFixed, onChange } = props;
  const language = useLanguage();
  const mayList = useMay()("users:read");
  const isRole = givenProperty(values, "target.type").toLowerCase() === "role";
  const query = { query: { limit: MAX_NAMES } };
  const users = useRead("/admin/users", query, { when: mayList && !isRole });
  const roles = useRead("/admin/roles", query, { when: mayList && isRole });
  if (!mayList) return <Plain {...props} />;
  const value = givenProperty(values, property.name);
  const named = isRole
    ? roles.data?.roles.map((it) => ({ value: it.name, label: it.display_name || it.name }))
    : users.data?.users.map((it) => ({
      value: it.username,
      label: it.display_name || it.username,
    }));
  const data = named ?? [];
  const isKnown = value === "" || data.some((it) => it.value === value);
  return (
    <Select
      label={property.label[language]}
      placeholder={property.otherwise?.[language]}
      searchable
      clearable
      readOnly={isFixed}
      data={isKnown ? data : [...data, { value, label: value }]}
      value={value || null}
      onChange={(it) => onChange(it ?? "")}
    />
  );
}

/** Returns a function that writes the codes of a rule's trigger as labels. */
export function useCodeNames(): (property: string, value: string) => string {
  const statuses = useRead("/api/catalogues/{name}", { path: { name: "statuses" } });
  const reasons = useRead("/api/catalogues/{name}", { path: { name: "reasons" } });
  const of: Readonly<Record<string, typeof statuses>> = {
    "trigger.status": statuses,
    "trigger.reason": reasons,
  };
  return (property, value) => {
    const items = of[property]?.data?.items;
    if (!items) return value;
    return value.split(",").map((it) => it.trim())
      .map((code) => items.find((it) => it.code === code)?.label ?? code).join(", ");
  };
}
