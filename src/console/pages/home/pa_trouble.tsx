import { Alert, Anchor, Text } from "@mantine/core";
import { Link } from "wouter";
import type { components } from "../../api/schema.d.ts";
import { Icon } from "../../components/icon.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { HOME } from "./words.ts";

type Health = components["schemas"]["PaHealth"];

/** Returns true if submissions wait for the PA. */
export const isInTrouble = (health: Health | undefined): health is Health =>
  health !== undefined && !(health.reachable && health.breaker === "closed");

/** Shows why submissions wait for the PA, and until when. */
export function PaTrouble({ health, askedAt }: { health: Health; askedAt: number }) {
  const words = useWords(HOME);
  const { time } = useFormats();
  const { breaker, error, retryInMs } = health;
  const title = breaker === "open"
    ? words.paOpen
    : breaker === "trial"
    ? words.paTrial
    : words.paDown;
  return (
    <Alert color="red" variant="light" icon={<Icon name="platform" />} title={title}>
      {error && <Text size="sm" className="ps-wrap">{error}</Text>}
      {retryInMs !== undefined && (
        <Text size="sm">
          {retryInMs === 0 ? words.paRetryNext : words.paRetry(time(askedAt + retryInMs))}
        </Text>
      )}
      <Anchor component={Link} href="/platform/state" c="inherit" underline="always" size="sm">
        {words.paState}
      </Anchor>
    </Alert>
  );
}
