import { Alert, Button, Group, Text } from "@mantine/core";
import { type FocusEvent, useRef } from "react";
import { Link } from "wouter";
import { useRead } from "../../api/queries.ts";
import { useMay } from "../../api/me.tsx";
import { Icon } from "../../components/icon.tsx";
import { useWords } from "../../i18n/language.ts";
import { RULE_WORDS } from "./rule_words.ts";

/** Text that receives placeholders until the reader has been in one. */
const FIRST_TEXT = "subject";
const IS_TEXT = "textarea, input[type=text], input:not([type])";

/** Returns the handler of the area of texts, and the insertion at the cursor of the text used last. */
export function useInsertion(onChange: (name: string, value: string) => void) {
  const box = useRef<HTMLDivElement>(null);
  const last = useRef<HTMLInputElement | HTMLTextAreaElement | null>(null);
  const find = () =>
    box.current?.querySelector<HTMLInputElement>(`[data-property="${FIRST_TEXT}"] input`) ?? null;
  return {
    area: {
      ref: box,
      onFocus({ target }: FocusEvent<HTMLElement>) {
        const isText = target.matches(IS_TEXT) && !target.matches("[readonly]");
        if (isText) last.current = target as HTMLInputElement;
      },
    },
    insert(placeholder: string) {
      const field = last.current ?? find();
      const name = field?.closest("[data-property]")?.getAttribute("data-property");
      if (!field || !name) return;
      const [from, to] = [field.selectionStart ?? field.value.length, field.selectionEnd];
      const [before, after] = [field.value.slice(0, from), field.value.slice(to ?? from)];
      onChange(name, `${before}{${placeholder}}${after}`);
      field.focus();
    },
  };
}

/** Values of the invoice that a text can contain, by their names. */
export function Placeholders({ onInsert }: { onInsert: (placeholder: string) => void }) {
  const words = useWords(RULE_WORDS);
  return (
    <div style={{ gridColumn: "1 / -1" }}>
      <Text size="sm" fw={600} mb={4}>{words.insert}</Text>
      <Group gap={6}>
        {Object.entries(words.placeholders).map(([name, label]) => (
          <Button
            key={name}
            size="compact-xs"
            variant="default"
            title={`{${name}}`}
            onClick={() => onInsert(name)}
          >
            {label}
          </Button>
        ))}
      </Group>
    </div>
  );
}

/** Warns that no mail server is set up; readers who may not see connections see nothing. */
export function NoMail() {
  const words = useWords(RULE_WORDS);
  const { data } = useRead("/api/connections", {}, { when: useMay()("templates:read") });
  const mail = data?.connections.find((it) => it.kind === "mail");
  if (mail?.state !== "not_set_up") return null;
  return (
    <Alert color="yellow" icon={<Icon name="warning" />} style={{ gridColumn: "1 / -1" }}>
      <Text size="sm" mb="xs">{words.noMail}</Text>
      <Button component={Link} href="/connections/mail" size="compact-sm" variant="default">
        {words.setUpMail}
      </Button>
    </Alert>
  );
}
