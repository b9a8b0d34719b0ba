import {
  Alert,
  Box,
  Button,
  Center,
  Divider,
  Group,
  Paper,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { type FormEvent, useLayoutEffect, useState } from "react";
import { facts } from "../../api/facts.ts";
import { ApiProblem } from "../../api/problem.ts";
import {
  failedSignIn,
  readerHere,
  readStoredAddress,
  signIn,
  storeAddress,
} from "../../api/session.ts";
import { Heading } from "../../components/heading.tsx";
import { Icon } from "../../components/icon.tsx";
import { ProblemNote } from "../../components/notes.tsx";
import { Password } from "../../components/password.tsx";
import { useWords } from "../../i18n/language.ts";
import { LanguageSwitch, ThemeSwitch } from "../../shell/switches.tsx";
import { Logo } from "../../shell/logo.tsx";
import { SIGN_IN } from "./words.ts";

/** Sign-in form. `isAgain`: the page below continues unchanged once the same user has signed in. */
export function SignIn({ isAgain = false }: { isAgain?: boolean }) {
  const words = useWords(SIGN_IN);
  const [username, setUsername] = useState(isAgain ? readerHere() ?? "" : "");
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState<unknown>(failedBefore);
  const [isBusy, setBusy] = useState(false);
  const wait = useCountdown(problem);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || wait > 0) return;
    setBusy(true);
    setProblem(undefined);
    try {
      if (!username.trim() || !password) throw new ApiProblem(words.needed, { status: 422 });
      await signIn(username, password);
    } catch (error) {
      setProblem(error);
      setBusy(false);
    }
  };

  return (
    <Center
      className="ps-sign-in"
      component="main"
      id="content"
      // A dialog below the sign-in would otherwise trap Tab.
      onKeyDown={(it) => it.stopPropagation()}
    >
      <Stack w="100%" maw={400} gap="lg">
        <Stack align="center" gap={4}>
          <Logo size={48} />
          <Heading alone={words.title}>Passerelle</Heading>
          <Text c="dimmed" size="sm">{words.subtitle}</Text>
        </Stack>
        <Paper withBorder p="lg" radius="lg" shadow="sm">
          <form onSubmit={submit} noValidate>
            <Stack gap="md">
              {isAgain && problem === undefined && (
                <Alert color="blue" variant="light" role="status" icon={<Icon name="lock" />}>
                  {words.over}
                </Alert>
              )}
              <TextInput
                label={words.username}
                autoComplete="username"
                autoFocus={!isAgain}
                value={username}
                onChange={(it) => setUsername(it.currentTarget.value)}
              />
              <Password
                label={words.password}
                autoComplete="current-password"
                autoFocus={isAgain}
                value={password}
                onChange={(it) => setPassword(it.currentTarget.value)}
              />
              <SignInProblem problem={problem} wait={wait} isAgain={isAgain} />
              <Button type="submit" fullWidth loading={isBusy} disabled={wait > 0}>
                {words.go}
              </Button>
              {facts.oidc && (
                <>
                  <Divider label={words.or} />
                  <Button
                    component="a"
                    href="/auth/oidc/login"
                    {
                      // Opens another tab, since leaving would lose the input of the page below; the tabs
                      // share the session.
                      ...isAgain ? { target: "_blank" } : { onClick: storeAddress }
                    }
                    variant="default"
                    fullWidth
                  >
                    {words.oidc}
                  </Button>
                  {isAgain && <Text size="xs" c="dimmed" ta="center">{words.oidcAgain}</Text>}
                </>
              )}
            </Stack>
          </form>
        </Paper>
        {!facts.unused && <Text size="xs" c="dimmed" ta="center">{words.forgotten}</Text>}
        {facts.unused && (
          <Text size="xs" c="dimmed" ta="center">
            {facts.adminless ? words.adminless : words.first}
          </Text>
        )}
        <Group justify="center" gap="xs">
          <LanguageSwitch />
          <ThemeSwitch />
        </Group>
      </Stack>
    </Center>
  );
}

/** Returns the failure that the identity provider's redirect reported; unknown codes are ignored. */
function failedBefore(): ApiProblem | undefined {
  const failed = failedSignIn();
  if (failed === undefined || location.pathname !== "/") return undefined;
  history.replaceState(null, "", readStoredAddress() ?? "/"); // restores the address that the reader wanted
  if (!Object.hasOwn(SIGN_IN.en.failed, failed)) return undefined;
  return new ApiProblem(failed, { status: 401, body: { failed } });
}

/** Error of a sign-in. The input stays; too many attempts show a wait instead of an error. */
function SignInProblem(
  { problem, wait, isAgain }: { problem: unknown; wait: number; isAgain: boolean },
) {
  const words = useWords(SIGN_IN);
  if (problem === undefined) return null;
  const status = problem instanceof ApiProblem ? problem.status : undefined;
  if (status === 429) {
    return (
      <Alert color="yellow" role="alert" icon={<Icon name="clock" />}>
        {wait > 0 ? words.throttled(wait) : words.again}
      </Alert>
    );
  }
  const failed = problem instanceof ApiProblem && problem.details["failed"];
  const plain = failed
    ? words.failed[failed as keyof typeof words.failed]
    : problem instanceof ApiProblem && problem.isOffline
    ? words.unreached
    : status === 401
    ? isAgain ? words.wrongAgain : words.wrong
    : status === 422
    ? (problem as ApiProblem).message
    : undefined;
  if (plain === undefined) return <ProblemNote problem={problem} />;
  return (
    <Alert color="red" role="alert" icon={<Icon name="warning" />}>
      <Box className="ps-wrap">{plain}</Box>
    </Alert>
  );
}

/** Returns the seconds until the next attempt is allowed. */
function useCountdown(problem: unknown): number {
  const [left, setLeft] = useState(0);
  useLayoutEffect(() => { // runs before painting, so that the final sentence does not flash
    if (!(problem instanceof ApiProblem) || problem.status !== 429) return setLeft(0);
    const until = Date.now() + (problem.retryAfter ?? 5) * 1000;
    const tick = () => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000)));
    tick();
    const timer = setInterval(tick, 500);
    return () => clearInterval(timer);
  }, [problem]);
  return left;
}
