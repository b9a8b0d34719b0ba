import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import { useLocation } from "wouter";
import Markdown from "../components/markdown.tsx";
import { ProblemNote } from "../components/notes.tsx";
import { useLanguage } from "../i18n/language.ts";
import { Waiting } from "./waiting.tsx";

/** Shows the chapter about the open page. */
export default function Chapter() {
  const language = useLanguage();
  const [location] = useLocation();
  const page = location.split("/")[1] || "home";
  const { data, error, refetch } = useQuery({
    queryKey: ["guide", language, page],
    queryFn: () => readGuide(language, page),
    staleTime: Infinity,
  });
  if (error) return <ProblemNote problem={error} retry={() => void refetch()} />;
  if (data === undefined) return <Waiting />;
  return (
    <Scrolled to={findHeading(data, location)}>
      <Markdown text={data.replace(MARK, "")} />
    </Scrolled>
  );
}

/** Height of the head of the drawer, which covers the first lines. */
const HEAD = "4.5rem";
/** Space of the drawer below its content. */
const FOOT = "1rem";

/**
 * Shows the section of this heading first; without a heading, the beginning of the chapter. A last section gets the
 * room below it that it needs to reach the top.
 */
function Scrolled({ to, children }: { to: string | undefined; children: ReactNode }) {
  const area = useRef<HTMLDivElement>(null);
  const room = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const lines = [...area.current?.querySelectorAll("p") ?? []];
    const heading = lines.find((it) => it.textContent === to);
    if (!heading) return;
    heading.style.scrollMarginTop = HEAD;
    const end = area.current?.getBoundingClientRect().bottom ?? 0;
    const shown = end - heading.getBoundingClientRect().top;
    room.current?.style.setProperty("height", `calc(100dvh - ${HEAD} - ${shown}px - ${FOOT})`);
    heading.scrollIntoView();
  }, [to]);
  return (
    <>
      <div ref={area}>{children}</div>
      <div ref={room} />
    </>
  );
}

/** Comment before a section of the guide: the part of the page that it describes. */
const MARK = /^<!-- (\S+) -->\n+/gm;

/** Returns the heading of the section about the open part of the page. */
function findHeading(text: string, location: string): string | undefined {
  const found = [...text.matchAll(/^<!-- (\S+) -->\n+## (.+)$/gm)]
    .find(([, part]) => `${location}/`.startsWith(`${part}/`));
  return found?.[2];
}

const PICTURE = /^!\[[^\]]*\]\(pictures\/[\w-]+\.png\)$\n*/gm;

/**
 * Loads a page of the guide without its pictures, which show the open page. Names of other pages are shown in bold.
 */
async function readGuide(language: string, page: string): Promise<string> {
  const { default: text }: { readonly default: string } = await import(
    `../../../docs/guide/${language}/${page}.md`
  );
  return text.replace(PICTURE, "").replace(/\[([^\]]+)\]\([\w./-]+\.md\)/g, "**$1**");
}
