import { List, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api } from "../../api/client.ts";
import type { ApiProblem } from "../../api/problem.ts";
import { useChange } from "../../api/queries.ts";
import { Confirm } from "../../components/confirm.tsx";
import { ProblemNote } from "../../components/notes.tsx";
import { PageLink } from "../../components/page_link.tsx";
import { toast } from "../../components/toasts.tsx";
import { formatNamed, useWords } from "../../i18n/language.ts";
import { useSectionTitle } from "../settings/section_title.ts";
import { CONNECTIONS } from "./words.ts";

interface Removal {
  readonly name: string;
  /** Section without the database. */
  readonly rest: object;
  readonly etag: string;
}

/** Object of a section that refers to the database. */
interface Use {
  readonly section: string;
  readonly name: string;
}

const save = ({ rest, etag }: Removal, isDry: boolean) =>
  api.PUT("/admin/config/{section}/parsed", {
    params: {
      path: { section: "pools" },
      query: isDry ? { dry_run: "true" } : {},
      header: { "if-match": etag },
    },
    body: rest as never,
  });

/** Removes a database after a question. While something uses the database, the question names it and cannot be confirmed. */
export function PoolRemoval({ touches, onRemoved, ...of }: Removal & {
  readonly touches: readonly string[];
  readonly onRemoved: () => void;
}) {
  const words = useWords(CONNECTIONS);
  const [isFree, setFree] = useState(false);
  const remove = useChange(async () => {
    await save(of, false);
    toast(words.removed);
    onRemoved();
  }, touches);
  return (
    <Confirm
      label={words.remove}
      question={words.removeQuestion(of.name)}
      work={remove}
      isHeld={!isFree}
      run={() => remove.mutateAsync(undefined)}
    >
      <Uses of={of} onRead={setFree} />
    </Confirm>
  );
}

/** Links to the objects of the settings that use the database. */
function Uses({ of, onRead }: {
  of: Removal;
  /** Reports whether nothing uses the database; false until that is known. */
  onRead: (isFree: boolean) => void;
}) {
  const words = useWords(CONNECTIONS);
  const titleOf = useSectionTitle();
  const { data, error } = useQuery<readonly Use[], ApiProblem>({
    queryKey: ["/admin/config", "pools", "uses", of.name, of.etag],
    gcTime: 0, // other sections change without a new version of this one
    queryFn: async () =>
      (await save(of, true)).data?.impact.broken.map(({ section, path }) => ({
        section,
        name: path.split(".")[1] ?? path, // connectors.NAME.pool
      })) ?? [],
  });
  const isFree = data?.length === 0;
  useEffect(() => onRead(isFree), [isFree, onRead]);
  if (error) return <ProblemNote problem={error} />;
  if (!data?.length) return null;
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>{words.uses}</Text>
      <List size="sm">
        {data.map(({ section, name }, at) => (
          <List.Item key={at} className="ps-wrap">
            <PageLink href={`/settings/sections/${section}?find=${encodeURIComponent(name)}`}>
              {formatNamed(titleOf(section), name)}
            </PageLink>
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}
