import { Alert, Anchor, Text } from "@mantine/core";
import { Link } from "wouter";
import { useMay } from "../api/me.tsx";
import { useWaiting } from "../api/waiting.ts";
import { defineWords, useWords } from "../i18n/language.ts";
import { Icon } from "./icon.tsx";

const WORDS = defineWords({
  en: {
    included: "These figures include sample invoices.",
    remove: "Remove them on the home page",
    ask: "An administrator can remove them on the home page.",
  },
  fr: {
    included: "Ces chiffres comprennent des factures d'exemple.",
    remove: "Les retirer depuis l'accueil",
    ask: "Un administrateur peut les retirer depuis l'accueil.",
  },
});

/** Returns the sentence that figures include sample invoices; undefined without any. */
export function useSampleWarning(): string | undefined {
  const words = useWords(WORDS);
  return useWaiting().data?.withSamples === true ? words.included : undefined;
}

/** Says, also on paper, that the figures below include sample invoices; nothing without any. */
export function SampleNote() {
  const words = useWords(WORDS);
  const may = useMay();
  const warning = useSampleWarning();
  if (warning === undefined) return null;
  return (
    <Alert color="yellow" variant="light" py="xs" icon={<Icon name="warning" />}>
      <Text size="sm">
        <Text span inherit fw={600}>{warning}</Text> {may("setup:write")
          ? <Anchor component={Link} href="/" inherit>{words.remove}</Anchor>
          : words.ask}
      </Text>
    </Alert>
  );
}
