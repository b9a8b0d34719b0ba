import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { useLocation } from "wouter";
import { Dialog } from "../../components/dialog.tsx";
import { useMay } from "../../api/me.tsx";
import { useRead } from "../../api/queries.ts";
import { useUnsaved } from "../../api/unsaved.ts";
import { Icon } from "../../components/icon.tsx";
import { Mark } from "../../components/mark.tsx";
import { Empty } from "../../components/notes.tsx";
import { Loaded, Records } from "../../components/records.tsx";
import { who } from "../../components/who.ts";
import { useFormats, useWords } from "../../i18n/language.ts";
import { Pending } from "./pending.tsx";
import { toSectionId } from "./section_id.ts";
import { useSectionTitle } from "./section_title.ts";
import { SECTION } from "./section_words.ts";
import { SETTINGS } from "./words.ts";
import { PageLink } from "../../components/page_link.tsx";

/** Sections and language packs that the reader may open, each with its last change. */
export default function Sections() {
  const words = useWords(SECTION);
  const { moment } = useFormats();
  const may = useMay();
  const titleOf = useSectionTitle();
  const listed = useRead("/admin/config");
  return (
    <Stack gap="sm">
      <Pending scope="all" />
      {may("settings:raw") && may("settings:dictionary") && <NewPack />}
      <Loaded of={listed}>
        {({ sections }) => (
          <Records
            label={words.section}
            rows={sections}
            keyOf={(it) => it.name}
            empty={<Empty icon="settings" title={words.none} />}
            columns={[
              {
                key: "name",
                label: words.section,
                cell: (it) => (
                  <>
                    <Group gap={4} align="baseline">
                      <PageLink href={`/settings/sections/${toSectionId(it.name)}`}>
                        {titleOf(it.name)}
                      </PageLink>
                      <span className="ps-code">{it.name}</span>
                    </Group>
                    <Text size="xs" c="dimmed" className="ps-folds">
                      {words.holds[it.name] ?? ""}
                    </Text>
                  </>
                ),
              },
              {
                key: "changed",
                label: words.changed,
                cell: (it) =>
                  it.at === null ? words.unwritten : words.by(who(it.by), moment(it.at)),
              },
              {
                key: "force",
                label: words.state,
                cell: (it) =>
                  it.in_force
                    ? <Mark tone="good">{words.inForce}</Mark>
                    : <Mark tone="warning">{words.pending}</Mark>,
              },
            ]}
          />
        )}
      </Loaded>
    </Stack>
  );
}

function NewPack() {
  const words = useWords(SECTION);
  const { cancel } = useWords(SETTINGS);
  const [, go] = useLocation();
  const [opened, dialog] = useDisclosure();
  const [name, setName] = useState("");
  const settle = useUnsaved(opened && name !== "");
  const isWrong = name !== "" &&
    !/^(?:[a-z][\w-]*\.)?[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})?$/.test(name);
  return (
    <Group>
      <Button variant="default" leftSection={<Icon name="plus" />} onClick={dialog.open}>
        {words.newPack}
      </Button>
      <Dialog
        opened={opened}
        onClose={dialog.close}
        title={words.newPack}
      >
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (!name || isWrong) return;
            settle();
            go(`/settings/sections/i18n.${name}`);
          }}
        >
          <Stack>
            <TextInput
              data-autofocus
              label={words.packName}
              description={words.packHint}
              required
              value={name}
              error={isWrong && words.packWrong}
              onChange={(it) => setName(it.currentTarget.value.trim())}
            />
            <Group justify="flex-end">
              <Button variant="default" onClick={dialog.close}>{cancel}</Button>
              <Button type="submit">{words.open}</Button>
            </Group>
          </Stack>
        </form>
      </Dialog>
    </Group>
  );
}
