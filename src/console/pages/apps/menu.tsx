import { Badge, Box, Button, Card, NavLink, SimpleGrid, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type ReactNode, Suspense, useId } from "react";
import { Link, useLocation } from "wouter";
import type { components } from "../../api/schema.d.ts";
import { useMay } from "../../api/me.tsx";
import { useRead } from "../../api/queries.ts";
import { Icon, type IconName } from "../../components/icon.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { buildAddress, isOfConsole, mayOpen } from "./address.ts";
import { milliseconds } from "./durations.ts";
import { APPS } from "./words.ts";

type Menu = components["schemas"]["Menu"];
type Item = components["schemas"]["MenuItem"];
type Leaf = Item & { target: NonNullable<Item["target"]> };

/** Menu entries of all apps, as cards on a wide screen. */
export function MenuTree({ apps, isWide = false }: { apps: readonly Menu[]; isWide?: boolean }) {
  const trees = apps.map(({ app, label, items }) => (
    <section key={app} aria-label={label}>
      <Title order={2} size="h5" mb="xs">{label}</Title>
      <Items items={items} />
    </section>
  ));
  if (!isWide) return trees;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md">
      {trees.map((tree) => <Card key={tree.key} withBorder className="ps-card">{tree}</Card>)}
    </SimpleGrid>
  );
}

function Items({ items }: { items: readonly Item[] }) {
  return items.map((item, at) => {
    if (item.separator) return <hr key={`line ${at}`} className="ps-line" />;
    if (item.items) {
      return (
        <NavLink
          key={item.id}
          label={item.label}
          leftSection={<Icon name={getIcon(item)} />}
          defaultOpened
        >
          <Items items={item.items} />
        </NavLink>
      );
    }
    return item.target ? <Entry key={item.id} item={item as Leaf} /> : null;
  });
}

function Entry({ item }: { item: Leaf }) {
  const words = useWords(APPS);
  const may = useMay();
  const [location] = useLocation();
  const { label = "", target, reachable = true } = item;
  const href = buildAddress(target);
  if (!mayOpen(href, may)) return null;
  const look = {
    leftSection: <Icon name={getIcon(item)} />,
    ...item.badge && { rightSection: <Count of={item.badge} /> },
  };
  if (!reachable || href === "") {
    return (
      <NavLink {...look} component="div" label={label} description={words.unreachable} c="dimmed" />
    );
  }
  if (target.url !== undefined && (target.new_tab || !isOfConsole(href))) {
    return (
      <NavLink
        {...look}
        component="a"
        href={href}
        label={target.new_tab ? `${label} ${words.newTab}` : label}
        {...target.new_tab && { target: "_blank", rel: "noopener noreferrer" }}
      />
    );
  }
  const isHere = location === href;
  return (
    <NavLink
      {...look}
      component={Link}
      href={href}
      label={label}
      active={isHere}
      aria-current={isHere ? "page" : undefined}
    />
  );
}

/** Badge with the number that its query returns. */
function Count({ of: { connector, query, refresh } }: { of: NonNullable<Item["badge"]> }) {
  const { number } = useFormats();
  const { data } = useRead("/api/sql/{connector}/{query}", {
    path: { connector, query },
    query: { limit: 1 },
  }, refresh === undefined ? {} : { everyMs: milliseconds(refresh) });
  const [row] = data?.items ?? [];
  const value = Number(row && Object.values(row)[0]);
  if (!Number.isFinite(value) || value === 0) return null;
  return <Badge variant="light" tt="none">{number(value)}</Badge>;
}

const ICONS: Readonly<Record<string, IconName>> = {
  "activity": "platform",
  "bar-chart": "platform",
  "alert-triangle": "warning",
  "bell": "notifications",
  "play": "play",
  "users": "people",
  "terminal": "link",
  "book": "link",
  "file-text": "invoices",
  "list": "columns",
};

function getIcon({ icon = "", items, target }: Item): IconName {
  const known = Object.hasOwn(ICONS, icon) ? ICONS[icon] : undefined;
  if (known) return known;
  if (items) return "apps";
  if (target?.url !== undefined) return "link";
  return target?.screen === undefined ? "platform" : "columns";
}

/** Menu next to the open page; on a narrow screen a button opens it. */
export function Beside({ children }: { children: ReactNode }) {
  const words = useWords(APPS);
  const id = useId();
  const [isOpen, menu] = useDisclosure();
  const { data } = useRead("/api/menus");
  const apps = data?.apps ?? [];
  return (
    <Box className="ps-apps">
      {apps.length > 0 && (
        <Box className="ps-apps-menu ps-no-print">
          <Button
            variant="default"
            leftSection={<Icon name="apps" size={16} />}
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={menu.toggle}
            mb="xs"
          >
            {words.menu}
          </Button>
          <Box
            component="nav"
            id={id}
            aria-label={words.title}
            data-open={isOpen}
          >
            <MenuTree apps={apps} />
          </Box>
        </Box>
      )}
      <Box miw={0}>
        <Suspense>{children}</Suspense>
      </Box>
    </Box>
  );
}
