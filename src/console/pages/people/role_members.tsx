import { Text } from "@mantine/core";
import { type ComponentProps, Fragment } from "react";
import { useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Confirm } from "../../components/confirm.tsx";
import { Icon } from "../../components/icon.tsx";
import { PageLink } from "../../components/page_link.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { PEOPLE } from "./words.ts";

type RoleRecord = components["schemas"]["Role"];

/** Returns the address of the users who hold a role. */
export const listMembers = (role: string) => `/people/users?role=${encodeURIComponent(role)}`;

/** Most members named on the page of a role; the link lists all. */
const NAMED = 8;

/** Names the users who hold a role, with a link to all of them. */
export function Members({ of: role }: { of: RoleRecord }) {
  const words = useWords(PEOPLE);
  const { number } = useFormats();
  const query = { role: role.name, limit: NAMED };
  const { data } = useRead("/admin/users", { query }, { when: role.members > 0 });
  if (role.members === 0) return <Text size="sm" c="dimmed">{words.noMembers}</Text>;
  const all = role.members === 1 ? words.oneMember : words.manyMembers(number(role.members));
  const users = data?.users ?? [];
  return (
    <Text size="sm" className="ps-wrap">
      <PageLink href={listMembers(role.name)}>{all}</PageLink>
      {users.length > 0 && words.named}
      {users.map((it, index) => (
        <Fragment key={it.username}>
          {index > 0 && ", "}
          <PageLink href={`/people/users/${encodeURIComponent(it.username)}`}>
            {it.display_name || it.username}
          </PageLink>
        </Fragment>
      ))}
      {role.members > users.length && users.length > 0 && "…"}
    </Text>
  );
}

/** Deletion of a role. Its reason is shown instead if the product would refuse it. */
export function Removal({ role, heirs, work, run }: {
  role: RoleRecord;
  heirs: readonly string[];
  work: ComponentProps<typeof Confirm>["work"];
  run: () => Promise<void>;
}) {
  const words = useWords(PEOPLE);
  const { number } = useFormats();
  const reason = role.members > 0
    ? words.hasMembers(role.members, number(role.members))
    : heirs.length > 0
    ? words.hasHeirs(heirs.join(", "))
    : undefined;
  if (reason !== undefined) return <Text size="sm" c="dimmed" maw={560}>{reason}</Text>;
  return (
    <Confirm
      label={words.remove}
      question={words.removeQuestion}
      work={work}
      run={run}
      leftSection={<Icon name="trash" />}
    />
  );
}
