import { MultiSelect, Select, Stack } from "@mantine/core";
import { useMay } from "../../api/me.tsx";
import { useRead } from "../../api/queries.ts";
import { FieldGroup, Folded } from "../../components/grouped_template.tsx";
import {
  givenProperty,
  type Property,
  PropertyField,
  type TemplateProperties,
} from "../../components/properties.tsx";
import { useLanguage, useWords } from "../../i18n/language.ts";
import { NoMail, Placeholders, useInsertion } from "./placeholders.tsx";
import { RuleActions } from "./rule_actions.tsx";
import { RULE_WORDS } from "./rule_words.ts";

/** Fields of a rule in the order of its sentence: when, to whom, with which texts, and what else happens. */
const GROUPS = {
  trigger: ["trigger.status", "trigger.reason", "direction"],
  recipients: ["channel.portal", "target.name", "channel.email", "email.list"],
  texts: ["subject", "language", "portal.message", "body", "attachPdf"],
  more: ["chart", "actions"],
} as const;
const GROUP_NAMES = Object.keys(GROUPS) as readonly (keyof typeof GROUPS)[];
/** Fields above the groups. */
const FIRST = ["enabled", "description"];
/** Shown with the name of the recipient, as one field. */
const MERGED = ["target.type"];
/** Fields that matter only to e-mails. */
const OF_EMAILS: readonly string[] = ["email.list", "body", "attachPdf"];

/** Fields that show their error; others leave it to the note of the form. */
const MARKED: readonly string[] = [
  ...GROUPS.trigger,
  ...GROUPS.recipients,
  ...GROUPS.texts,
].filter((it) => it !== "attachPdf");

/** Tells whether the form shows the error of a property at its field. */
export function isShownAtField(name: string, values: TemplateProperties): boolean {
  const sendsEmails = givenProperty(values, "channel.email") === "Y";
  return MARKED.includes(name) && (sendsEmails || !OF_EMAILS.includes(name));
}

interface FieldProps {
  readonly property: Property;
  readonly values: TemplateProperties;
  readonly isFixed: boolean;
  /** Error of the value, shown below the field. */
  readonly error?: string | undefined;
  readonly onChange: (value: string) => void;
  /** Changes several properties at once. */
  readonly onValues: (changed: TemplateProperties) => void;
}

/** Form of a rule. A property that no group names, such as a new channel's, is among the recipients. */
export function RuleFields({ known, values, errors, isFixed, onValues }: {
  known: readonly Property[];
  values: TemplateProperties;
  /** Sentences about wrong values, by property. */
  errors: TemplateProperties;
  isFixed: boolean;
  onValues: (changed: TemplateProperties) => void;
}) {
  const words = useWords(RULE_WORDS);
  const text = useInsertion((name, value) => onValues({ [name]: value }));
  const grouped: readonly string[] = [
    ...FIRST,
    ...MERGED,
    ...GROUP_NAMES.flatMap((it) => GROUPS[it]),
  ];
  const others = known.map((it) => it.name).filter((it) => !grouped.includes(it));
  const sendsEmails = givenProperty(values, "channel.email") === "Y";
  const field = (name: string) => {
    const property = known.find((it) => it.name === name);
    if (!property || OF_EMAILS.includes(name) && !sendsEmails) return null;
    return (
      <div key={name} data-property={name}>
        <RuleField
          {...{ property, values, isFixed, onValues }}
          error={errors[name]}
          onChange={(value) => onValues({ [name]: value })}
        />
      </div>
    );
  };
  return (
    <Stack gap="md">
      {FIRST.map(field)}
      {GROUP_NAMES.map((group) => {
        const fields = [...GROUPS[group], ...group === "recipients" ? others : []].map(field);
        const title = words.groups[group];
        if (group === "more") return <Folded key={group} title={title}>{fields}</Folded>;
        return (
          <FieldGroup key={group} title={title}>
            {group === "texts"
              ? <div className="ps-contents" {...text.area}>{fields}</div>
              : fields}
            {group === "recipients" && sendsEmails && <NoMail />}
            {group === "texts" && !isFixed && <Placeholders onInsert={text.insert} />}
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
      return <Recipient {...props} />;
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

function Plain({ property, values, isFixed, error, onChange }: FieldProps) {
  return (
    <PropertyField
      property={property}
      isFixed={isFixed}
      error={error}
      value={givenProperty(values, property.name)}
      onChange={onChange}
    />
  );
}

/** Choice of codes by their labels; a code that the catalogue lacks stays. */
function CodeList({ property, values, isFixed, error, onChange, of }: FieldProps & {
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
      error={error}
      data={[...codes, ...unknown.map((it) => ({ value: it, label: it }))]}
      value={chosen}
      onChange={(it) => onChange(it.join(","))}
    />
  );
}

/** Most users or roles offered for choice. */
const MAX_NAMES = 500;

/** Choice of everybody, a role or a user; readers who may not list them type the name. */
function Recipient(props: FieldProps) {
  const { property, values, isFixed, error, onValues } = props;
  const words = useWords(RULE_WORDS);
  const mayList = useMay()("users:read");
  const query = { query: { limit: MAX_NAMES } };
  const users = useRead("/admin/users", query, { when: mayList });
  const roles = useRead("/admin/roles", query, { when: mayList });
  if (!mayList) return <Plain {...props} />;
  const name = givenProperty(values, property.name);
  const isRole = givenProperty(values, "target.type").toLowerCase() === "role";
  const value = name === "" ? "" : `${isRole ? "Role" : "User"}:${name}`;
  const groups = [
    {
      group: words.roles,
      items: (roles.data?.roles ?? []).map((it) => ({
        value: `Role:${it.name}`,
        label: it.display_name || it.name,
      })),
    },
    {
      group: words.users,
      items: (users.data?.users ?? []).map((it) => ({
        value: `User:${it.username}`,
        label: it.display_name || it.username,
      })),
    },
  ];
  const isKnown = value === "" ||
    groups.some(({ items }) => items.some((it) => it.value === value));
  return (
    <Select
      label={words.recipient}
      allowDeselect={false}
      searchable
      readOnly={isFixed}
      error={error}
      data={[
        { value: "", label: words.everybody },
        ...isKnown ? [] : [{ value, label: name }],
        ...groups,
      ]}
      value={value}
      onChange={(it) => {
        const [, type = "", chosen = ""] = /^(Role|User):(.*)$/.exec(it ?? "") ?? [];
        onValues({ "target.type": type, [property.name]: chosen });
      }}
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
