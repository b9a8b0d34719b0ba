import { NavLink, ScrollArea } from "@mantine/core";
import { Link, useLocation } from "wouter";
import { useMay } from "../api/me.tsx";
import { Icon } from "../components/icon.tsx";
import { useLanguage } from "../i18n/language.ts";
import { type PageEntry, PAGES } from "../pages/pages.ts";

/** Returns the pages that the reader may see, with their labels. */
export function useNav(): readonly (PageEntry & { readonly label: string })[] {
  const may = useMay();
  const language = useLanguage();
  return PAGES.filter(({ needs }) => needs.length === 0 || needs.some(may))
    .map((it) => ({ ...it, label: it.name[language] }));
}

export function Nav({ onGo }: { onGo: () => void }) {
  const [location] = useLocation();
  return (
    <ScrollArea>
      {useNav().map(({ path, label, icon }) => {
        const isHere = path === "/" ? location === "/" : `${location}/`.startsWith(`${path}/`);
        return (
          <NavLink
            key={path}
            component={Link}
            href={path}
            label={label}
            leftSection={<Icon name={icon} />}
            active={isHere}
            aria-current={isHere ? "page" : undefined}
            onClick={onGo}
          />
        );
      })}
    </ScrollArea>
  );
}
