import { Button, Group, Menu, TextInput } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { type FormEvent, useState } from "react";
import { Link } from "wouter";
import { Dialog } from "../dialog.tsx";
import { useMe } from "../../api/me.tsx";
import { useUnsaved } from "../../api/unsaved.ts";
import { Icon } from "../icon.tsx";
import { defineWords, useWords } from "../../i18n/language.ts";
import { INVOICES } from "./words.ts";

export interface SavedView {
  readonly name: string;
  /** Query string. */
  readonly address: string;
}

/** Menu of the built-in views and the reader's own ones, stored in this browser. Each view is an address. */
export function Views({ path, given, address }: {
  path: string;
  given: readonly SavedView[];
  address: string;
}) {
  const words = useWords(INVOICES);
  // Views are stored per user, since they may name customers and others may use this browser.
  const { username } = useMe();
  const [own, setOwn] = useLocalStorage<readonly SavedView[]>({
    key: `passerelle-views${path} ${username}`,
    defaultValue: [],
    deserialize: viewsIn,
  });
  const [isNaming, setNaming] = useState(false);
  return (
    <>
      <Menu position="bottom-start" width={260}>
        <Menu.Target>
          <Button
            variant="default"
            className="ps-by-icon"
            aria-label={words.views}
            leftSection={<Icon name="views" size={16} />}
          >
            {words.views}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {given.map((it) => <View key={it.name} path={path} {...it} />)}
          {own.length > 0 && <Menu.Divider />}
          {own.map((it) => (
            <View
              key={it.name}
              path={path}
              {...it}
              drop={() => setOwn((all) => all.filter(({ name }) => name !== it.name))}
            />
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<Icon name="plus" size={16} />} onClick={() => setNaming(true)}>
            {words.saveView}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Dialog
        opened={isNaming}
        onClose={() => setNaming(false)}
        title={words.saveView}
      >
        <Naming
          onName={(name) => {
            setOwn((all) => [...all.filter((it) => it.name !== name), { name, address }]);
            setNaming(false);
          }}
        />
      </Dialog>
    </>
  );
}

/** Ignores stored views that cannot be read, for example those of another version. */
function viewsIn(text: string | undefined): readonly SavedView[] {
  try {
    const all: unknown = JSON.parse(text ?? "");
    return Array.isArray(all) ? all.filter(isView) : [];
  } catch {
    return [];
  }
}

function isView(it: Partial<SavedView> | null): it is SavedView {
  return typeof it?.name === "string" && typeof it.address === "string";
}

function View({ path, name, address, drop }: SavedView & { path: string; drop?: () => void }) {
  const words = useWords(INVOICES);
  return (
    <Group gap={0} wrap="nowrap">
      <Menu.Item component={Link} href={`${path}${address && `?${address}`}`}>{name}</Menu.Item>
      {drop && (
        <Menu.Item w="auto" aria-label={words.dropView(name)} onClick={drop}>
          <Icon name="trash" size={14} />
        </Menu.Item>
      )}
    </Group>
  );
}

/** Longest name of a view in the menu. */
const MAX_CHARACTERS = 60;
const WORDS = defineWords({
  en: { most: `At most ${MAX_CHARACTERS} characters` },
  fr: { most: `${MAX_CHARACTERS} caractères au plus` },
});

function Naming({ onName }: { onName: (name: string) => void }) {
  const words = useWords(INVOICES);
  const { most } = useWords(WORDS);
  const [name, setName] = useState("");
  useUnsaved(name.trim() !== "");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim()) onName(name.trim());
  };
  return (
    <form onSubmit={submit}>
      <TextInput
        data-autofocus
        label={words.viewName}
        description={most}
        maxLength={MAX_CHARACTERS}
        value={name}
        onChange={(it) => setName(it.currentTarget.value)}
      />
      <Group justify="flex-end" mt="md">
        <Button type="submit" disabled={!name.trim()}>{words.save}</Button>
      </Group>
    </form>
  );
}
