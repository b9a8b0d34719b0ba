import { Box, Group, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { ApiProblem } from "../../api/problem.ts";
import { useRead } from "../../api/queries.ts";
import { Empty, Page, ProblemNote } from "../../components/notes.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { Logo } from "../../shell/logo.tsx";
import { LanguageSwitch, ThemeSwitch } from "../../shell/switches.tsx";
import { Messages } from "./messages.tsx";
import { ASSISTANT } from "./words.ts";

/** Page of a share link, which needs no sign-in: one conversation, read-only. */
export default function Shared() {
  const words = useWords(ASSISTANT);
  const { moment } = useFormats();
  const token = useFragment();
  const { data, error, refetch } = useRead("/ai/shared", { header: { "x-share-token": token } }, {
    when: token !== "",
  });
  const isGone = token === "" || (error instanceof ApiProblem && [400, 404].includes(error.status));
  return (
    <Box component="main" id="content" p={{ base: "sm", sm: "lg" }} maw={900} mx="auto">
      <Group justify="space-between" mb="lg" className="ps-no-print">
        <Group gap="xs">
          <Logo />
          <Text fw={650} size="lg">Passerelle</Text>
        </Group>
        <Group gap="xs">
          <LanguageSwitch />
          <ThemeSwitch />
        </Group>
      </Group>
      <Page
        title={data?.title ?? words.shared}
        hint={data && (
          <>
            {words.sharedAt(moment(data.shared_at))} · {words.sharedUntil(moment(data.expires_at))}
          </>
        )}
      >
        {isGone
          ? <Empty icon="link" title={words.noLink} hint={words.noLinkHint} />
          : <ProblemNote problem={error} retry={() => void refetch()} />}
        {data && <Messages messages={data.messages} label={words.log} />}
      </Page>
    </Box>
  );
}

/** Returns the text after `#`, also after another link is opened in the same tab. */
function useFragment(): string {
  const [fragment, setFragment] = useState(() => location.hash.slice(1));
  useEffect(() => {
    const follow = () => setFragment(location.hash.slice(1));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return fragment;
}
