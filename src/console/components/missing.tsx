import { Button } from "@mantine/core";
import { Link } from "wouter";
import { defineWords, useWords } from "../i18n/language.ts";
import { Empty, Page } from "./notes.tsx";

const WORDS = defineWords({
  en: {
    notFound: "This page does not exist",
    hint: "The address may be mistyped, or your role has no access to the page.",
    home: "Go to the start page",
  },
  fr: {
    notFound: "Cette page n'existe pas",
    hint: "L'adresse est peut-être mal saisie, ou votre rôle n'y donne pas accès.",
    home: "Aller à la page d'accueil",
  },
});

/** Page for an unknown address. */
export function Missing() {
  const words = useWords(WORDS);
  return (
    <Page title={words.notFound}>
      <Empty icon="search" title={words.hint}>
        <Button component={Link} href="/" variant="default">{words.home}</Button>
      </Empty>
    </Page>
  );
}

/** Message for an unknown part of a page; the head of the page stays above. */
export function MissingPart() {
  const words = useWords(WORDS);
  return <Empty icon="search" title={words.notFound} hint={words.hint} />;
}
