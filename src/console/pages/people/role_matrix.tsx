import {
  Alert,
  Box,
  Button,
  Checkbox,
  Collapse,
  Group,
  Stack,
  Table,
  Text,
  Title,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";
import { useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Icon } from "../../components/icon.tsx";
import { formatNamed, useFormats, useWords } from "../../i18n/language.ts";
import {
  AREA_NAMES,
  CELLS,
  collectHeirs,
  collectInherited,
  findBeyond,
  LEVELS,
  listCells,
  listTelling,
  measureCell,
  pressCell,
  type RightCell,
} from "./role_areas.ts";
import { nameMissing } from "./right_names.ts";
import { ROLE_WORDS } from "./role_words.ts";

type RoleRecord = components["schemas"]["Role"];

/** Rights of a role as areas and levels; `children` is the list of codes, folded below. */
export function RoleMatrix({ own, inherited, isFixed, onChange, children }: {
  own: readonly string[];
  inherited: readonly string[];
  isFixed: boolean;
  onChange: (own: readonly string[]) => void;
  children: ReactNode;
}) {
  const words = useWords(ROLE_WORDS);
  const [isOpen, codes] = useDisclosure();
  const more = findBeyond(own, CELLS.flatMap((it) => it.codes));
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">{words.matrix}</Title>
      <Table withTableBorder aria-label={words.matrix} className="ps-matrix">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.area}</Table.Th>
            {LEVELS.map((it) => <Table.Th key={it}>{words.levels[it]}</Table.Th>)}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {AREA_NAMES.map((area) => {
            const cells = listCells(area);
            return (
              <Table.Tr key={area}>
                <Table.Th scope="row" fw={500}>{words.areas[area]}</Table.Th>
                {LEVELS.map((level) => {
                  const cell = cells.find((it) => it.level === level);
                  return (
                    <Table.Td key={level}>
                      {cell && <Right {...{ cell, own, inherited, isFixed, onChange }} />}
                    </Table.Td>
                  );
                })}
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
      {more.length > 0 && (
        <Text size="sm" c="dimmed" className="ps-wrap">
          {more.includes("*") ? words.everything : formatNamed(words.more, more.join(", "))}
        </Text>
      )}
      <Button
        variant="subtle"
        size="compact-sm"
        aria-expanded={isOpen}
        onClick={codes.toggle}
        style={{ alignSelf: "flex-start" }}
      >
        {isFixed ? words.codes : words.expert}
      </Button>
      <Collapse expanded={isOpen}>{children}</Collapse>
    </Stack>
  );
}

function Right({ cell, own, inherited, isFixed, onChange }: {
  cell: RightCell;
  own: readonly string[];
  inherited: readonly string[];
  isFixed: boolean;
  onChange: (own: readonly string[]) => void;
}) {
  const words = useWords(ROLE_WORDS);
  const isInherited = measureCell(cell, inherited) === "all";
  const all = [...own, ...inherited];
  const has = measureCell(cell, all);
  const partly = has === "some" ? words.partly(nameMissing(cell, all)) : undefined;
  const note = isInherited ? words.inherited : partly;
  if (isFixed) return <FixedRight {...{ cell, has, note }} />;
  return (
    <Checkbox
      size="sm"
      label={words.effects[cell.area][cell.level]}
      description={note}
      checked={has === "all"}
      indeterminate={has === "some"}
      disabled={isInherited}
      title={cell.codes.join(", ")}
      onChange={(it) => onChange(pressCell(cell, { own, isOn: it.currentTarget.checked }))}
    />
  );
}

/** Right that the reader cannot change, in full contrast. */
function FixedRight({ cell, has, note }: {
  cell: RightCell;
  has: ReturnType<typeof measureCell>;
  note: string | undefined;
}) {
  const words = useWords(ROLE_WORDS);
  if (has === "none") return <Text size="sm" c="dimmed">{words.none}</Text>;
  return (
    <Group gap={6} wrap="nowrap" align="flex-start" title={cell.codes.join(", ")}>
      <Box flex="none">
        <Icon name="check" size={14} />
      </Box>
      <div>
        <Text size="sm">{words.effects[cell.area][cell.level]}</Text>
        {note && <Text size="xs" c="dimmed">{note}</Text>}
      </div>
    </Group>
  );
}

const MAX_NAMES = 8;
const MAX_USERS = 500;

/** Tells before saving which users gain or lose which rights. */
export function RoleEffect({ role, roles, own, parents }: {
  role: RoleRecord;
  roles: readonly RoleRecord[];
  own: readonly string[];
  parents: readonly string[];
}) {
  const words = useWords(ROLE_WORDS);
  const { number } = useFormats();
  const people = useRead("/admin/users", { query: { limit: MAX_USERS } });
  const after = [...own, ...collectInherited(roles, parents)];
  const gained = findBeyond(after, role.effective_permissions);
  const lost = findBeyond(role.effective_permissions, after);
  if (!people.data || gained.length + lost.length === 0) return null;
  const heirs = collectHeirs(roles, role.name);
  const touched = people.data.users.filter((it) => it.roles.some((name) => heirs.includes(name)));
  if (touched.length === 0) return <Text size="sm" c="dimmed">{words.nobody}</Text>;
  const names = touched.slice(0, MAX_NAMES).map((it) => it.display_name || it.username);
  const rest = touched.length - names.length;
  return (
    <Alert
      color="yellow"
      role="status"
      icon={<Icon name="people" />}
      title={words.touched(words.users(touched.length))}
    >
      <Text size="sm">
        {names.join(", ")} {rest > 0 && words.others(number(rest))}
      </Text>
      <Codes label={words.gained} codes={gained} />
      <Codes label={words.lost} codes={lost} />
    </Alert>
  );
}

/** Codes that are gained or lost, in the words of the matrix where it has them. */
function Codes({ label, codes }: { label: string; codes: readonly string[] }) {
  const words = useWords(ROLE_WORDS);
  if (codes.length === 0) return null;
  const cells = CELLS.filter((it) => listTelling(it).some((code) => codes.includes(code)));
  const known = cells.map((it) => `${words.areas[it.area]} (${words.levels[it.level]})`);
  const others = codes.filter((code) => !cells.some((it) => it.codes.includes(code)));
  return (
    <Text size="sm" className="ps-wrap">
      {words.list(label)} {[...known, ...others].join(", ")}
    </Text>
  );
}
