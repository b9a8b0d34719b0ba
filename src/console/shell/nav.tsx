import { NavLink, ScrollArea, Text } from "@mantine/core";
import { useId } from "react";
import { Link, useLocation } from "wouter";
import { useMay } from "../api/me.tsx";
import { Icon } from "../components/icon.tsx";
import { useLanguage, useWords } from "../i18n/language.ts";
import { PAGE_GROUPS, type PageEntry, type PageGroup, PAGES } from "../pages/pages.ts";
import { SHELL } from "./words.ts";

type NamedPage = PageEntry & { readonly label: string };

/** Returns the pages that the reader may see, with their labels. */
export function useNav(): readonly NamedPage[] {
  const may = useMay();
  const language = useLanguage();
  return PAGES.filter(({ needs }) => needs.length === 0 || needs.some(may))
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
  const id = useId();
  const title = groups[group];
  return (
    <div role="group" aria-labelledby={title === "" ? undefined : id} className="ps-nav-group">
      {title !== "" && <Text id={id} className="ps-nav-title">{title}</Text>}
      {pages.map((it) => <NavEntry key={it.path} page={it} onGo={onGo} />)}
    </div>
  );
}

function NavEntry({ page: { path, label, icon }, onGo }: { page: NamedPage; onGo: () => void }) {
  const [location] = useLocation();
  const isHere = path === "/" ? location === "/" : `${location}/`.startsWith(`${path}/`);
  return (
    <NavLink
      component={Link}
      href={path}
      label={label}
      leftSection={<Icon name={icon} />}
      active={isHere}
      aria-current={isHere ? "page" : undefined}
      onClick={onGo}
    />
  );
}
