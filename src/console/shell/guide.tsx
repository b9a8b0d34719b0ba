import { Drawer } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useEffect, useRef } from "react";
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
        {data === undefined ? !error && <Waiting /> : (
          <Scrolled to={findHeading(data, location)}>
            <Markdown text={data.replace(MARK, "")} />
          </Scrolled>
        )}
      </Suspense>
    </Drawer>
  );
}

/** Shows the section of this heading first; without a heading, the beginning of the chapter. */
function Scrolled({ to, children }: { to: string | undefined; children: ReactNode }) {
  const area = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const lines = [...area.current?.querySelectorAll("p") ?? []];
    const heading = lines.find((it) => it.textContent === to);
    if (!heading) return;
    heading.style.scrollMarginTop = "4.5rem"; // the head of the drawer covers the first lines
    heading.scrollIntoView();
  }, [to]);
  // The last section can reach the top as well.
  return <div ref={area} style={{ paddingBottom: "60vh" }}>{children}</div>;
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
