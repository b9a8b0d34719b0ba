import { Badge, Group, List, Stack, Text, Title } from "@mantine/core";
import type { components } from "../../api/schema.d.ts";
import { Records } from "../../components/records.tsx";
import { formatNamed, useWords } from "../../i18n/language.ts";
import { nameMissing, nameRight } from "./right_names.ts";
import { type Contribution, listRights } from "./role_areas.ts";
import { ROLE_WORDS } from "./role_words.ts";
import { useRoles } from "./use_roles.ts";
import { PEOPLE } from "./words.ts";

/** Returns rights in the words of the matrix, then the codes that it does not name. */
function useRights(contributions: readonly Contribution[]) {
  const words = useWords(ROLE_WORDS);
  const { rights, others } = listRights(contributions);
  const grants = contributions.map((it) => it.permission);
  return [
    ...rights.map(({ cell, share, roles }) => ({
      key: cell ? `${cell.area} ${cell.level}` : "*",
      area: cell ? words.areas[cell.area] : words.everything,
      right: cell
        ? `${words.effects[cell.area][cell.level]}${
          share === "some" ? ` (${words.inPart(nameMissing(cell, grants))})` : ""
        }`
        : "",
      roles,
    })),
    ...others.map(({ permission, roles }) => ({
      key: permission,
      area: words.otherCodes,
      right: nameRight(permission) ?? permission,
      roles,
    })),
  ];
}

/** Codes in the words of the matrix. */
export function Rights({ title, codes, order = 2 }: {
  title: string;
  codes: readonly string[];
  /** Level of the heading. */
  order?: 2 | 3;
}) {
  const words = useWords(PEOPLE);
  const rights = useRights(codes.map((permission) => ({ permission, roles: [] })));
  return (
    <Stack gap="xs">
      <Title order={order} size={order === 2 ? "h4" : "h5"}>{title}</Title>
      {rights.length === 0 && <Text size="sm" c="dimmed">{words.nothing}</Text>}
      <List size="sm">
        {rights.map(({ key, area, right }) => (
          <List.Item key={key} className="ps-wrap">
            {right === "" ? area : formatNamed(area, right)}
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}

/** Rights of a user in the words of the matrix, each with the roles that grant it. */
export function RightsOfUser(
  { of }: { of: Pick<components["schemas"]["UserDetail"], "contributions"> },
) {
  const words = useWords(PEOPLE);
  const matrix = useWords(ROLE_WORDS);
  const { nameOf } = useRoles();
  const rows = useRights(of.contributions);
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">{words.permissions}</Title>
      <Records
        label={words.permissions}
        rows={rows}
        keyOf={(it) => it.key}
        empty={<Text size="sm" c="dimmed">{words.noRights}</Text>}
        columns={[
          { key: "area", label: matrix.area, cell: (it) => it.area },
          { key: "right", label: words.permission, cell: (it) => it.right },
          {
            key: "through",
            label: words.through,
            cell: (it) => (
              <Group gap={4}>
                {it.roles.map((role) => (
                  <Badge key={role} variant="default" tt="none">{nameOf(role)}</Badge>
                ))}
              </Group>
            ),
          },
        ]}
      />
    </Stack>
  );
}
