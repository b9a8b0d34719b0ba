import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { fetchFile } from "../../api/client.ts";
import type { Problem } from "../../api/problem.ts";
import type { components } from "../../api/schema.d.ts";
import { Diff } from "../../components/diff.tsx";
import { Icon } from "../../components/icon.tsx";
import { who } from "../../components/who.ts";
import { useFormats, useWords } from "../../i18n/language.ts";
import { SECTION } from "./section_words.ts";

type Detail = components["schemas"]["SettingsRevisionDetail"];
type Listed = components["schemas"]["SettingsRevisions"];

/** Somebody else saved while this was written: what they changed, and the two ways on. */
export function Stale({ base, keepMine, takeTheirs }: {
  base: string;
  keepMine: () => void;
  takeTheirs: () => void;
}) {
  const words = useWords(SECTION);
  const { moment } = useFormats();
  const { data } = useQuery<Detail | null, Problem>({
    queryKey: [base, "last change"],
    async queryFn({ signal }) {
      const list = await fetchFile(`${base}/revisions?limit=1`, { signal });
      const [last] = (await list.json() as Listed).revisions;
      if (!last) return null;
      return await (await fetchFile(`${base}/revisions/${last.revision}`, { signal })).json();
    },
  });
  return (
    <Alert color="yellow" title={words.stale} icon={<Icon name="warning" />} role="alert">
      <Stack gap="xs">
        {data && (
          <>
            <Text size="sm">{words.staleBy(who(data.by), moment(data.at))}</Text>
            <Diff label={words.theirs} text={data.diff} />
          </>
        )}
        <Group gap="xs">
          <Button size="compact-md" variant="default" onClick={keepMine}>{words.keepMine}</Button>
          <Button size="compact-md" variant="default" onClick={takeTheirs}>
            {words.takeTheirs}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
