import { Button, Group, Stack, Text } from "@mantine/core";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { useChange, useRead } from "../../api/queries.ts";
import { Fields } from "../../components/fields.tsx";
import { Icon } from "../../components/icon.tsx";
import { Mark } from "../../components/mark.tsx";
import { ProblemNote } from "../../components/notes.tsx";
import { Loaded } from "../../components/records.tsx";
import { formatNamed, useFormats, useWords } from "../../i18n/language.ts";
import { PEOPLE } from "./words.ts";

export function LicensePanel() {
  const words = useWords(PEOPLE);
  const { moment, number } = useFormats();
  const may = useMay();
  const licence = useRead("/api/license");
  const reload = useChange(
    async () => (await api.POST("/admin/license/reload")).data,
    ["/api/license"],
  );
  return (
    <Stack gap="md">
      <Loaded of={licence}>
        {({ status, reason, id, issued_at, expires_at, days_left, payload }) => (
          <Stack gap="md">
            <Mark tone={status === "valid" || status === "absent" ? "good" : "bad"}>
              {words.licenceStates[status]}
            </Mark>
            {status === "absent" && <Text size="sm" c="dimmed" maw={560}>{words.licenceHint}</Text>}
            <Fields
              of={[
                [words.reason, reason],
                ["Id", id],
                [words.customer, payload?.customer],
                [words.edition, payload?.edition],
                [words.issued, moment(issued_at)],
                [words.expires, moment(expires_at)],
                [words.daysLeft, days_left === null ? "" : number(days_left)],
                [words.features, payload?.features.join(", ")],
                [
                  words.limits,
                  Object.entries(payload?.limits ?? {})
                    .map(([name, it]) => formatNamed(name, number(Number(it)))).join(", "),
                ],
              ]}
            />
          </Stack>
        )}
      </Loaded>
      <ProblemNote problem={reload.error} />
      {may("license:write") && (
        <Group>
          <Button
            variant="default"
            loading={reload.isPending}
            leftSection={<Icon name="retry" />}
            onClick={() => reload.mutate(undefined)}
          >
            {words.reload}
          </Button>
          <Text size="sm" role="status">
            {reload.data && !reload.isPending && words.licenceRead[reload.data.status]}
          </Text>
        </Group>
      )}
    </Stack>
  );
}
