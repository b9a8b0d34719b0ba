import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { fetchFile } from "../../api/client.ts";
import type { ApiProblem } from "../../api/problem.ts";
import type { components } from "../../api/schema.d.ts";
import { Diff } from "../../components/diff.tsx";
import { lineDiff } from "../../components/line_diff.ts";
import { Icon } from "../../components/icon.tsx";
import { who } from "../../components/who.ts";
import { useFormats, useWords } from "../../i18n/language.ts";
import { SECTION } from "./section_words.ts";

type Listed = components["schemas"]["SettingsRevisions"];
type Revision = Listed["revisions"][number];

/** Note that somebody else saved meanwhile: their changes, and the two choices. */
export function Stale({ base, before, now, keepMine, takeTheirs }: {
  /** Path of the revisions that name the author; undefined where no revision names one. */
  base?: string;
  /** Text that the reader started from; others may have changed it several times since. */
  before: string;
  now: string;
  keepMine: () => void;
  takeTheirs: () => void;
}) {
  const words = useWords(SECTION);
  const { moment } = useFormats();
  const { data } = useQuery<Revision | null, ApiProblem>({
    queryKey: [base, "last change"],
    async queryFn({ signal }) {
      const list = await fetchFile(`${base}/revisions?limit=1`, { signal });
      const [last] = (await list.json() as Listed).revisions;
      return last ?? null;
    },
    enabled: base !== undefined,
  });
  const theirs = useMemo(() => lineDiff(before, now), [before, now]);
  return (
    <Alert color="yellow" title={words.stale} icon={<Icon name="warning" />} role="alert">
      <Stack gap="xs">
        {data && <Text size="sm">{words.staleBy(who(data.by), moment(data.at))}</Text>}
        <Diff label={words.theirs} text={theirs} />
        <Group gap="xs">
          <Button size="compact-sm" variant="default" onClick={keepMine}>{words.keepMine}</Button>
          <Button size="compact-sm" variant="default" onClick={takeTheirs}>
            {words.takeTheirs}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
