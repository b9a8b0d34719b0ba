import { Anchor, Box, NavLink, ScrollArea, Text } from "@mantine/core";
import { useId } from "react";
import { Link, useLocation } from "wouter";
import { facts } from "../api/facts.ts";
import { useMay } from "../api/me.tsx";
import { Icon } from "../components/icon.tsx";
import { useFormats, useLanguage, useWords } from "../i18n/language.ts";
import { PAGE_GROUPS, type PageEntry, type PageGroup, PAGES } from "../pages/pages.ts";
import { type NavCount, useNavCounts } from "./counts.ts";
import { SHELL } from "./words.ts";

/** Largest number that fits next to a label. */
const MAX_SHOWN = 999;

type NamedPage = PageEntry & { readonly label: string };

/** Returns the pages that the reader may see, with their labels. */
export function useNav(): readonly NamedPage[] {
  const may = useMay();
  const language = useLanguage();
  // Without a model, only people who can set one up see the assistant.
  const hasAssistant = facts.model || may("setup:write");
  return PAGES.filter(({ path }) => path !== "/assistant" || hasAssistant)
    .filter(({ needs }) => needs.length === 0 || needs.some(may))
    .map((it) => ({ ...it, label: it.name[language] }));
}

/** Shows the pages in their groups. A group without pages is absent. */
export function Nav({ onGo }: { onGo: () => void }) {
  const pages = useNav();
  return (
    <ScrollArea>
      {PAGE_GROUPS.map((group) => {
        const own = pages.filter((it) => it.group === group);
        return own.length > 0 && <NavGroup key={group} group={group} pages={own} onGo={onGo} />;
      })}
    </ScrollArea>
  );
}

function NavGroup({ group, pages, onGo }: {
  group: PageGroup;
  pages: readonly NamedPage[];
  onGo: () => void;
}) {
  const { groups } = useWords(SHELL);
  const counts = useNavCounts();
  const id = useId();
  const title = groups[group];
  return (
    <div role="group" aria-labelledby={title === "" ? undefined : id} className="ps-nav-group">
      {title !== "" && <Text id={id} className="ps-nav-title">{title}</Text>}
      {pages.map((it) => (
        <NavEntry key={it.path} page={it} waiting={counts.get(it.path)} onGo={onGo} />
      ))}
    </div>
  );
}

function NavEntry({ page: { path, label, icon }, waiting, onGo }: {
  page: NamedPage;
  /** Records that wait on the page. */
  waiting: NavCount | undefined;
  onGo: () => void;
}) {
  const { number } = useFormats();
  const [location] = useLocation();
  const isHere = path === "/" ? location === "/" : `${location}/`.startsWith(`${path}/`);
  const count = waiting?.count
    ? waiting.count > MAX_SHOWN ? `${MAX_SHOWN}+` : number(waiting.count)
    : undefined;
  return (
    <Box pos="relative">
      <NavLink
        component={Link}
        href={path}
        label={label}
        leftSection={<Icon name={icon} />}
        // Leaves room for the link of the count.
        rightSection={count && <span className="ps-nav-count" aria-hidden="true">{count}</span>}
        active={isHere}
        aria-current={isHere ? "page" : undefined}
        onClick={onGo}
      />
      {count && (
        <Anchor
          component={Link}
          href={waiting?.href ?? path}
          className="ps-nav-count"
          title={waiting?.name}
          aria-label={waiting?.name}
          onClick={onGo}
        >
          {count}
        </Anchor>
      )}
    </Box>
  );
}
