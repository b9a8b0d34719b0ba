import { Button, Group, Text } from "@mantine/core";
import { Fragment, type ReactNode, useEffect, useRef } from "react";
import { Link, Route, Switch, useLocation } from "wouter";
import { useMay } from "../api/me.tsx";
import { usePartName } from "./heading.tsx";
import { MissingPart } from "./missing.tsx";

export interface Tab {
  readonly path: string;
  readonly label: string;
  /** Title of the tabs that belong together, shown before the first of them. */
  readonly group?: string;
  /** Permissions of which the reader needs one to see the part; without any, everybody sees it. */
  readonly needs?: readonly string[];
}

/** Tabs of a page, each with its own address; the first one has the address of the page itself, `page`. */
export function Tabs({ label, page, tabs }: {
  label: string;
  page: string;
  tabs: readonly Tab[];
}) {
  const [location] = useLocation();
  const here = tabs.filter(({ path }) => `${location}/`.startsWith(`${path}/`))
    .toSorted((a, b) => b.path.length - a.path.length)[0] ??
    (location === page ? tabs[0] : undefined);
  usePartName(here?.label);
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const open = line.current?.querySelector("[aria-current=page]");
    open?.scrollIntoView({ inline: "center", block: "nearest" });
  }, [here?.path]);
  return (
    <Group
      component="nav"
      ref={line}
      aria-label={label}
      gap={4}
      wrap="nowrap"
      className="ps-tabs ps-no-print"
    >
      {tabs.map((it, index) => (
        <Fragment key={it.path}>
          {it.group !== undefined && it.group !== tabs[index - 1]?.group && (
            <Text size="sm" c="dimmed" flex="none" ml={index === 0 ? 0 : "md"}>{it.group}</Text>
          )}
          <Button
            component={Link}
            href={it.path}
            size="compact-md"
            variant={it === here ? "light" : "subtle"}
            aria-current={it === here ? "page" : undefined}
          >
            {it.label}
          </Button>
        </Fragment>
      ))}
    </Group>
  );
}

export interface TabPanel extends Tab {
  readonly content: ReactNode;
}

/** Tabs that the reader may see, and the open one. The first has the address of the page itself, `page`. */
export function PageParts({ label, page, parts }: {
  label: string;
  page: string;
  parts: readonly TabPanel[];
}) {
  const may = useMay();
  const [location] = useLocation();
  const seen = parts.filter(({ needs }) => !needs || needs.some(may));
  const closed = parts.find((it) => it.path === location && !seen.includes(it));
  return (
    <>
      <Tabs label={label} page={page} tabs={seen} />
      <Switch>
        {seen.map(({ path, content }) => <Route key={path} path={path}>{content}</Route>)}
        <Route path={page}>{seen[0]?.content}</Route>
        <Route>
          <MissingPart closed={closed?.label} />
        </Route>
      </Switch>
    </>
  );
}
