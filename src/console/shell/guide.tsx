import { Anchor, Drawer, Image } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { useLocation } from "wouter";
import { ProblemNote } from "../components/notes.tsx";
import { useLanguage, useWords } from "../i18n/language.ts";
import { Waiting } from "./waiting.tsx";
import { SHELL } from "./words.ts";

const Markdown = lazy(() => import("../components/markdown.tsx"));

/** Shows the chapter of the user guide (`docs/guide`) about the open page in a drawer. */
export function Guide({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const words = useWords(SHELL);
  const language = useLanguage();
  const [location] = useLocation();
  const page = location.split("/")[1] || "home";
  const { data, error, refetch } = useQuery({
    queryKey: ["guide", language, page],
    queryFn: () => readGuide(language, page),
    enabled: opened,
    staleTime: Infinity,
  });
  return (
    <Drawer opened={opened} onClose={onClose} title={words.guide} size="lg">
      <ProblemNote problem={error} retry={() => void refetch()} />
      <Suspense fallback={<Waiting />}>
        {data === undefined
          ? !error && <Waiting />
          : data.map((it, at) => <Part key={at} part={it} />)}
      </Suspense>
    </Drawer>
  );
}

/** Text of the guide, or a picture between two texts. */
type GuidePart = { readonly text: string } | { readonly address: string; readonly alt: string };

/** The drawer is narrower than a page, so a picture opens in full size in a new tab. */
function Part({ part }: { part: GuidePart }) {
  if ("text" in part) return <Markdown text={part.text} />;
  return (
    <Anchor href={part.address} target="_blank" className="ps-guide-picture">
      <Image src={part.address} alt={part.alt} radius="sm" />
    </Anchor>
  );
}

const PICTURE = /^!\[([^\]]*)\]\(pictures\/([\w-]+)\.png\)$/m;

/** Loads a page of the guide. Names of other pages are shown in bold. */
async function readGuide(language: string, page: string): Promise<GuidePart[]> {
  const { default: text }: { readonly default: string } = await import(
    `../../../docs/guide/${language}/${page}.md`
  );
  // The groups of the pattern lie between the texts: text, alt, name, text, …
  const pieces = text.replace(/\[([^\]]+)\]\([\w./-]+\.md\)/g, "**$1**").split(PICTURE);
  const parts: GuidePart[] = [];
  for (let at = 0; at < pieces.length; at += 3) {
    parts.push({ text: pieces[at] ?? "" });
    const [alt, name] = [pieces[at + 1], pieces[at + 2]];
    if (alt !== undefined && name !== undefined) {
      parts.push({ alt, address: await findPicture(language, name) });
    }
  }
  return parts;
}

/** Returns the address of a picture: the build places it next to the scripts. */
async function findPicture(language: string, name: string): Promise<string> {
  const { default: path }: { readonly default: string } = await import(
    `../../../docs/guide/${language}/pictures/${name}.png`
  );
  return new URL(path, import.meta.url).pathname;
}
