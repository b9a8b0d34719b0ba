import { Box } from "@mantine/core";
import { Fragment } from "react";
import { useLocation } from "wouter";
import { PageLink } from "../../components/page_link.tsx";
import { Records } from "../../components/records.tsx";
import { useWords } from "../../i18n/language.ts";
import { PEOPLE } from "./words.ts";

interface Role {
  readonly name: string;
  readonly inherits_from: readonly string[];
}

/** Most boxes in a row that a page shows without scrolling. */
const MAX_IN_ROW = 6;
const BOX = { width: 144, height: 34, gapX: 16, gapY: 56 };

/** Diagram of roles: each is below those it inherits from, with a line to each of them. */
export function Inheritance(
  { roles, nameOf }: { roles: readonly Role[]; nameOf: (name: string) => string },
) {
  const words = useWords(PEOPLE);
  const [, go] = useLocation();
  const places = computePositions(roles.filter((it) => isRelated(it, roles)));
  const all = [...places.values()];
  if (all.some(({ x }) => x >= MAX_IN_ROW)) return <Heirs {...{ roles, nameOf }} />;
  const width = (Math.max(0, ...all.map(({ x }) => x)) + 1) * (BOX.width + BOX.gapX);
  const height = (Math.max(0, ...all.map(({ y }) => y)) + 1) * (BOX.height + BOX.gapY);
  const left = (x: number) => x * (BOX.width + BOX.gapX) + 2;
  const top = (y: number) => y * (BOX.height + BOX.gapY) + 2;
  return (
    <Box role="region" aria-label={words.inheritance} tabIndex={0} style={{ overflowX: "auto" }}>
      <svg width={width} height={height} role="group" aria-label={words.inheritance}>
        {roles.flatMap(({ name, inherits_from }) =>
          inherits_from.map((parent) => {
            const [from, to] = [places.get(name), places.get(parent)];
            if (!from || !to) {
              return null;
            }
            return (
              <line
                key={`${name} ${parent}`}
                x1={left(from.x) + BOX.width / 2}
                y1={top(from.y)}
                x2={left(to.x) + BOX.width / 2}
                y2={top(to.y) + BOX.height}
                stroke="var(--ps-muted)"
              />
            );
          })
        )}
        {[...places].map(([name, { x, y }]) => (
          <a
            key={name}
            href={`/people/roles/${encodeURIComponent(name)}`}
            onClick={(event) => {
              event.preventDefault();
              go(`/people/roles/${encodeURIComponent(name)}`);
            }}
          >
            <rect
              x={left(x)}
              y={top(y)}
              width={BOX.width}
              height={BOX.height}
              rx={8}
              fill="var(--ps-surface)"
              stroke="var(--ps-border)"
            />
            <text
              x={left(x) + BOX.width / 2}
              y={top(y) + BOX.height / 2}
              textAnchor="middle"
              dominantBaseline="central"
              fontSize={13}
              fill="var(--mantine-color-text)"
            >
              {shorten(nameOf(name))}
            </text>
          </a>
        ))}
      </svg>
    </Box>
  );
}

/** Roles with those that inherit from them, as a table: a wide diagram would not fit the page. */
function Heirs(
  { roles, nameOf }: { roles: readonly Role[]; nameOf: (name: string) => string },
) {
  const words = useWords(PEOPLE);
  const link = (name: string) => (
    <PageLink href={`/people/roles/${encodeURIComponent(name)}`}>{nameOf(name)}</PageLink>
  );
  const heirsOf = ({ name }: Role) => roles.filter((it) => it.inherits_from.includes(name));
  return (
    <Records
      label={words.inheritance}
      rows={roles.filter((it) => heirsOf(it).length > 0)}
      keyOf={(it) => it.name}
      empty={null}
      columns={[
        { key: "role", label: words.role, cell: (it) => link(it.name) },
        {
          key: "heirs",
          label: words.heirs,
          cell: (it) =>
            heirsOf(it).map(({ name }, index) => (
              <Fragment key={name}>{index > 0 && ", "}{link(name)}</Fragment>
            )),
        },
      ]}
    />
  );
}

/** Tells whether a role inherits or is inherited from; the others would be loose boxes. */
function isRelated({ name, inherits_from }: Role, roles: readonly Role[]): boolean {
  return inherits_from.length > 0 || roles.some((it) => it.inherits_from.includes(name));
}

const MAX_LETTERS = 18;

function shorten(text: string): string {
  return text.length > MAX_LETTERS ? `${text.slice(0, MAX_LETTERS - 1)}…` : text;
}

/** Places each role one row below the lowest of its parents, as close as possible to their middle. */
function computePositions(roles: readonly Role[]): Map<string, { x: number; y: number }> {
  const byName = new Map(roles.map((it) => [it.name, it]));
  const rows = new Map<string, number>();
  const listParents = (name: string) =>
    byName.get(name)?.inherits_from.filter((it) => byName.has(it)) ?? [];
  const getRow = (name: string): number => {
    const known = rows.get(name);
    if (known !== undefined) return known;
    rows.set(name, 0); // stops at a cycle, which the API rejects
    const parents = listParents(name);
    const row = parents.length ? Math.max(...parents.map(getRow)) + 1 : 0;
    rows.set(name, row);
    return row;
  };
  const places = new Map<string, { x: number; y: number }>();
  const middle = (name: string) => {
    const all = listParents(name).map((it) => places.get(it)?.x ?? 0);
    return all.length ? all.reduce((sum, it) => sum + it, 0) / all.length : 0;
  };
  const last = Math.max(0, ...roles.map(({ name }) => getRow(name)));
  for (let y = 0; y <= last; y++) {
    let free = 0;
    const row = roles.filter(({ name }) => getRow(name) === y).map(({ name }) => ({
      name,
      wanted: middle(name),
    }));
    for (const { name, wanted } of row.toSorted((a, b) => a.wanted - b.wanted)) {
      const x = Math.max(free, wanted);
      places.set(name, { x, y });
      free = x + 1;
    }
  }
  return places;
}
