import { Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useMay } from "../../api/me.tsx";
import { useRead } from "../../api/queries.ts";
import {
  givenProperty,
  type Property,
  type TemplateProperties,
} from "../../components/properties.tsx";
import { formatNamed, useFormats, useLanguage, useWords } from "../../i18n/language.ts";
import { TEMPLATE } from "./template_words.ts";

const SCHEDULE = "schedule.";
const ZONE = "schedule.timezone";
const PAUSE_MS = 500;

/** Next run times of the edited schedules, in the zone of the template or in the zone that it has by default. */
export function NextTimes({ of, known }: {
  of: TemplateProperties;
  known: readonly Property[];
}) {
  const words = useWords(TEMPLATE);
  const language = useLanguage();
  const may = useMay();
  const schedules = Object.entries(of).filter(([key, value]) =>
    key.startsWith(SCHEDULE) && key !== ZONE && value
  );
  if (schedules.length === 0 || !may("jobs:read")) return null;
  const find = (name: string) => known.find((it) => it.name === name);
  const zone = givenProperty(of, ZONE) || find(ZONE)?.default;
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>{words.next}</Text>
      {schedules.map(([key, cron]) => (
        <Next
          key={key}
          name={find(key)?.label[language] ?? key.slice(SCHEDULE.length)}
          cron={cron}
          zone={zone}
        />
      ))}
    </Stack>
  );
}

function Next({ name, cron, zone }: { name: string; cron: string; zone: string | undefined }) {
  const { moment } = useFormats();
  const [expression] = useDebouncedValue(cron, PAUSE_MS);
  const { data, error } = useRead("/admin/jobs/cron-preview", {
    query: { expression, ...zone && { timezone: zone } },
  });
  return (
    <Text size="sm" className="ps-wrap" {...error && { c: "var(--ps-error)" }}>
      {formatNamed(
        name,
        error ? error.message : data?.next.map((it) => moment(it.utc)).join(" · ") ?? "",
      )}
    </Text>
  );
}
