import { Button, Checkbox, FileInput, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { fetchFile } from "../../api/client.ts";
import { useChange } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { DateField } from "../../components/dates/date_field.tsx";
import { NewDialog } from "../../components/forms.tsx";
import { Icon } from "../../components/icon.tsx";
import { toast } from "../../components/toasts.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { RULES } from "./rule_words.ts";

type Installed = components["schemas"]["RuleSetInstalled"];
const TEXTS = ["id", "version", "entry"] as const;
const FIELDS = [...TEXTS, "effectiveFrom"] as const;
type Field = (typeof FIELDS)[number];

/** Form that installs a published release from its zip file. */
export function InstallRelease() {
  const words = useWords(RULES);
  const { number } = useFormats();
  const [opened, dialog] = useDisclosure();
  const [file, setFile] = useState<File | null>(null);
  const [given, setGiven] = useState<Partial<Record<Field, string>>>({});
  const [isActive, setActive] = useState(true);
  const install = useChange(async () => {
    const filled = FIELDS.flatMap((it) => given[it] ? [[it, given[it]]] : []);
    const query = new URLSearchParams([...filled, ["active", String(isActive)]]);
    const response = await fetchFile(`/api/rules/install?${query}`, {
      method: "POST",
      headers: { "content-type": "application/zip" },
      body: file,
    });
    const { id, version, rules, changed } = await response.json() as Installed;
    toast(changed ? words.installedNow(id, version, number(rules)) : words.unchanged(id, version));
  }, ["/api/rules"]);
  const labels = {
    id: { label: words.installId, description: words.installIdHint },
    version: { label: words.installVersion },
    entry: { label: words.entry, description: words.entryHint },
  };
  return (
    <>
      <Button leftSection={<Icon name="upload" />} onClick={dialog.open}>{words.install}</Button>
      <NewDialog
        opened={opened}
        onClose={dialog.close}
        title={words.install}
        isTyped={file !== null || FIELDS.some((it) => given[it])}
        work={install}
        onDone={() => {
          setFile(null);
          setGiven({});
          setActive(true);
        }}
      >
        <Text size="sm" c="dimmed">{words.installHint}</Text>
        <FileInput
          label={words.file}
          required
          accept=".zip"
          value={file}
          onChange={setFile}
          leftSection={<Icon name="file" />}
        />
        {TEXTS.map((it) => (
          <TextInput
            key={it}
            {...labels[it]}
            value={given[it] ?? ""}
            onChange={(event) => setGiven({ ...given, [it]: event.currentTarget.value.trim() })}
          />
        ))}
        <DateField
          label={words.from}
          value={given.effectiveFrom ?? ""}
          onChange={(effectiveFrom) => setGiven({ ...given, effectiveFrom })}
        />
        <Checkbox
          label={words.active}
          checked={isActive}
          onChange={(it) => setActive(it.currentTarget.checked)}
        />
      </NewDialog>
    </>
  );
}
