import { Overlay, Stack, Text } from "@mantine/core";
import { useLocation } from "wouter";
import { useMay } from "../api/me.tsx";
import { usePageDrop } from "../components/drop_zone.tsx";
import { handFiles } from "../components/handed_files.ts";
import { Icon } from "../components/icon.tsx";
import { toast } from "../components/toasts.tsx";
import { isXml } from "../components/xml_file.ts";
import { defineWords, useWords } from "../i18n/language.ts";

const WORDS = defineWords({
  en: {
    drop: "Drop the file to import it",
    dropHint: "XML files. You see what would happen before anything starts.",
    others: (names: string) => `Only XML files can be imported. Left out: ${names}`,
  },
  fr: {
    drop: "Déposez le fichier pour l'importer",
    dropHint: "Fichiers XML. Un aperçu s'affiche avant tout traitement.",
    others: (names: string) =>
      `Seuls les fichiers XML peuvent être importés. Laissés de côté : ${names}`,
  },
});
const NEEDS = ["invoices:run", "files:write"];
const MAX_NAMED = 5;

/** Takes files dropped on any page, for users who may import them, and opens the preview of their import. */
export function DropAnywhere() {
  const may = useMay();
  return NEEDS.every((it) => may(it)) ? <Taker /> : null;
}

function Taker() {
  const words = useWords(WORDS);
  const [, go] = useLocation();
  const isOver = usePageDrop((dropped) => {
    const files = dropped.filter(isXml);
    const others = dropped.filter((it) => !files.includes(it)).map((it) => it.name);
    if (others.length > 0) {
      const named = others.slice(0, MAX_NAMED).join(", ");
      toast(words.others(others.length > MAX_NAMED ? `${named}…` : named), "failed");
    }
    if (files.length === 0) return;
    handFiles(files, { isPreviewed: true });
    go("/process");
  }, { isFallback: true });
  if (!isOver) return null;
  return (
    <Overlay fixed zIndex={300} blur={2} backgroundOpacity={0.75} className="ps-drop-over">
      <Stack h="100%" align="center" justify="center" gap="xs" c="white" role="status">
        <Icon name="upload" size={48} />
        <Text size="xl" fw={650}>{words.drop}</Text>
        <Text>{words.dropHint}</Text>
      </Stack>
    </Overlay>
  );
}
