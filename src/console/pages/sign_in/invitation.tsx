import { Alert, Button, Center, Paper, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "../../api/client.ts";
import { ApiProblem } from "../../api/problem.ts";
import type { components } from "../../api/schema.d.ts";
import { useChange } from "../../api/queries.ts";
import { Heading } from "../../components/heading.tsx";
import { Icon } from "../../components/icon.tsx";
import { ProblemNote } from "../../components/notes.tsx";
import { Password } from "../../components/password.tsx";
import { useWords } from "../../i18n/language.ts";
import { Logo } from "../../shell/logo.tsx";
import { INVITATION } from "./invitation_words.ts";

type Checked = components["schemas"]["InvitationChecked"];

/** Takes the token out of the address, so that neither the history nor a copied address contains it. */
function takeToken(): string {
  const token = location.hash.slice(1);
  if (token) history.replaceState(null, "", location.pathname);
  return token;
}
const TOKEN = takeToken();
// Another link that is opened in this tab changes only the hash, so the page does not load again by itself.
addEventListener("hashchange", () => location.hash && location.reload());

/** Page of an invited user, who chooses a password. It needs no session. */
export default function Invitation() {
  const words = useWords(INVITATION);
  const [typed, setTyped] = useState({ password: "", again: "" });
  const checked = useQuery<Checked | undefined, ApiProblem>({
    queryKey: ["/auth/invitation/check"],
    queryFn: async ({ signal }) =>
      (await api.POST("/auth/invitation/check", { body: { token: TOKEN }, signal })).data,
    enabled: TOKEN !== "",
    retry: false,
    refetchOnWindowFocus: false,
    staleTime: Infinity, // a used link is dead, which the page of success must not show
  });
  const isDead = TOKEN === "" || checked.error?.status === 422;
  const accept = useChange(async () => {
    const { password, again } = typed;
    if (password !== again) throw new ApiProblem(words.differ, { status: 422 });
    return (await api.POST("/auth/invitation", { body: { token: TOKEN, password } })).data;
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!accept.isPending) accept.mutate(undefined);
  };
  const field = (name: keyof typeof typed) => (
    <Password
      label={words[name]}
      description={name === "password" ? words.hint : undefined}
      autoComplete="new-password"
      required
      value={typed[name]}
      onChange={(it) => setTyped({ ...typed, [name]: it.currentTarget.value })}
    />
  );
  const username = accept.data?.username;
  return (
    <Center className="ps-sign-in" component="main" id="content">
      <Stack w="100%" maw={400} gap="lg">
        <Stack align="center" gap={4}>
          <Logo size={48} />
          <Heading alone={words.title}>{words.title}</Heading>
          {checked.data && username === undefined && (
            <Text ta="center" c="dimmed">
              {words.invited(checked.data.username, checked.data.company)}
            </Text>
          )}
        </Stack>
        <Paper withBorder p="lg" radius="lg" shadow="sm">
          {isDead && username === undefined
            ? (
              <Alert color="red" role="alert" icon={<Icon name="warning" />}>
                {TOKEN === "" ? words.incomplete : words.dead}
              </Alert>
            )
            : username === undefined
            ? (
              <form onSubmit={submit}>
                <Stack gap="md">
                  {field("password")}
                  {field("again")}
                  <ProblemNote problem={accept.error} />
                  <Button type="submit" loading={accept.isPending}>{words.go}</Button>
                </Stack>
              </form>
            )
            : (
              <Stack gap="md">
                <Text role="status">{words.done(username)}</Text>
                <Button component="a" href="/">{words.signIn}</Button>
              </Stack>
            )}
        </Paper>
      </Stack>
    </Center>
  );
}
