import { Button } from "@mantine/core";
import { Link } from "wouter";
import { defineWords, useWords } from "../i18n/language.ts";
import { Empty, Page } from "./notes.tsx";

const WORDS = defineWords({
  en: {
    notFound: "This page does not exist",
    hint: "The address may be mistyped, or your role has no access to the page.",
    home: "Go to the start page",
    closed: (page: string) => `You have no access to “${page}”`,
    closedHint: "None of your roles gives the right. Ask an administrator for it.",
    noModel: "The assistant is not set up",
    noModelHint: "It needs a language model. Ask an administrator to set one up.",
  },
  fr: {
    notFound: "Cette page n'existe pas",
    hint: "L'adresse est peut-être mal saisie, ou votre rôle n'y donne pas accès.",
    home: "Aller à la page d'accueil",
    closed: (page: string) => `Vous n'avez pas accès à « ${page} »`,
    closedHint: "Aucun de vos rôles n'y donne droit. Demandez-le à un administrateur.",
    noModel: "L'assistant n'est pas configuré",
    noModelHint:
      "Il lui faut un modèle de langage. Demandez à un administrateur d'en configurer un.",
  },
});

/** Page for an unknown address, or for a page outside the reader's rights. */
export function Missing({ closed, lacksModel }: {
  /** Name of the page that exists at the address. */
  closed?: string | undefined;
  /** True if the reader has the right, but the product has no language model. */
  lacksModel?: boolean | undefined;
}) {
  const words = useWords(WORDS);
  const [title, hint] = lacksModel
    ? [words.noModel, words.noModelHint]
    : closed === undefined
    ? [words.notFound, words.hint]
    : [words.closed(closed), words.closedHint];
  return (
    <Page title={title}>
      <Empty icon={closed === undefined ? "search" : "lock"} title={hint}>
        <Button component={Link} href="/" variant="default">{words.home}</Button>
      </Empty>
    </Page>
  );
}

/** Message for an unknown part of a page, or for one outside the reader's rights. The head of the page stays above. */
export function MissingPart({ closed }: { closed: string | undefined }) {
  const words = useWords(WORDS);
  if (closed !== undefined) {
    return <Empty icon="lock" title={words.closed(closed)} hint={words.closedHint} />;
  }
  return <Empty icon="search" title={words.notFound} hint={words.hint} />;
}
