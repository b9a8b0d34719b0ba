import { Button } from "@mantine/core";
import { Link } from "wouter";
import { useMay } from "../../api/me.tsx";
import { Page } from "../../components/notes.tsx";
import { PageParts } from "../../components/tabs.tsx";
import { useWords } from "../../i18n/language.ts";
import { Pending } from "./pending.tsx";
import { Revisions } from "./revisions.tsx";
import { buildSectionPath, useStored } from "./section_store.ts";
import { SectionText } from "./section_text.tsx";
import { useSectionTitle } from "./section_title.ts";
import { SECTION } from "./section_words.ts";
import { SETTINGS } from "./words.ts";

/** One section or language pack: its text and its revisions. */
export default function Section({ id }: { id: string }) {
  const words = useWords(SECTION);
  const { parts: label, back, renameOne } = useWords(SETTINGS);
  const may = useMay();
  const titleOf = useSectionTitle();
  const { stored } = useStored(id);
  const { name, code } = buildSectionPath(id);
  const at = `/settings/sections/${encodeURIComponent(id)}`;
  const parts = [
    { path: at, label: words.text, content: <SectionText id={id} /> },
    {
      path: `${at}/revisions`,
      label: words.revisions,
      needs: [code],
      content: <Revisions id={id} />,
    },
  ];
  return (
    <Page
      title={titleOf(name)}
      hint={may("settings:raw") && !stored.isError ? `${name} · ${words.editorHint}` : name}
      back={{ href: "/settings/sections", label: back }}
      actions={may("settings:write") && (
        <Button component={Link} href="/settings/rename" variant="default">{renameOne}</Button>
      )}
    >
      <Pending scope={name} />
      <PageParts label={label} page={at} parts={parts} />
    </Page>
  );
}
