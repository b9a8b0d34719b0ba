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

export interface Kept {
  readonly name: string;
  /** What stands behind the `?`. */
  readonly address: string;
}

/** Views everybody has, and those this reader keeps in this browser; each is an address. */
export function Views({ path, given, address }: {
  path: string;
  given: readonly Kept[];
  address: string;
}) {
  const words = useWords(INVOICES);
  // Of whoever reads: names of customers stand in them, and the next one at this browser is another reader.
  const { username } = useMe();
  const [own, setOwn] = useLocalStorage<readonly Kept[]>({
    key: `passerelle-views${path} ${username}`,
    defaultValue: [],
    deserialize: viewsIn,
  });
  const [isNaming, setNaming] = useState(false);
  return (
    <>
      <Menu position="bottom-start" width={260}>
        <Menu.Target>
          <Button variant="default" leftSection={<Icon name="filter" size={16} />}>
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

/** Nothing is shown of what somebody else, or another version, made of them. */
function viewsIn(text: string | undefined): readonly Kept[] {
  try {
    const all: unknown = JSON.parse(text ?? "");
    return Array.isArray(all) ? all.filter(isView) : [];
  } catch {
    return [];
  }
}

function isView(it: Partial<Kept> | null): it is Kept {
  return typeof it?.name === "string" && typeof it.address === "string";
}

function View({ path, name, address, drop }: Kept & { path: string; drop?: () => void }) {
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

/** Of a name of a view, which stands in a menu. */
const MOST_SIGNS = 60;
const WORDS = defineWords({
  en: { most: `At most ${MOST_SIGNS} characters` },
  fr: { most: `${MOST_SIGNS} caractères au plus` },
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
        maxLength={MOST_SIGNS}
        value={name}
        onChange={(it) => setName(it.currentTarget.value)}
      />
      <Group justify="flex-end" mt="md">
        <Button type="submit" disabled={!name.trim()}>{words.save}</Button>
      </Group>
    </form>
  );
}
