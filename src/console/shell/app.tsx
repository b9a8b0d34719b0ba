import { MantineProvider } from "@mantine/core";
import { QueryClientProvider, useQueryClient } from "@tanstack/react-query";
import {
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from "react";
import { useLocation } from "wouter";
import { nonce } from "../api/facts.ts";
import { followLive } from "../api/live.ts";
import { covers, MeProvider } from "../api/me.tsx";
import { isReached, onReached } from "../api/online.ts";
import { newQueryClient, readAgain, readAllAgain, useRead } from "../api/queries.ts";
import { followedReader, isSignedIn, onSession, placeBefore, renew } from "../api/session.ts";
import { ProblemNote } from "../components/notes.tsx";
import { toast } from "../components/toasts.tsx";
import { useLanguage, useWords } from "../i18n/language.ts";
import { SignIn } from "../pages/sign_in/sign_in.tsx";
import { Frame, Waiting } from "./frame.tsx";
import { paletteOf, schemes, theme, variables } from "./theme.ts";
import { SHELL } from "./words.ts";

/** Who has a link to it needs no session. */
const Shared = lazy(() => import("../pages/assistant/shared.tsx"));

export function App() {
  const [client] = useState(newQueryClient);
  return (
    <QueryClientProvider client={client}>
      <Coloured>
        {location.pathname === "/shared"
          ? (
            <Suspense fallback={<Waiting />}>
              <Shared />
            </Suspense>
          )
          : <Session />}
      </Coloured>
    </QueryClientProvider>
  );
}

/** In the installation's own colours as soon as they are known. */
function Coloured({ children }: { children: ReactNode }) {
  const signedIn = useSyncExternalStore(onSession, isSignedIn);
  const me = useRead("/auth/me", {}, { when: signedIn });
  const may = me.data?.permissions.some((it) => covers(it, "fmw:read")) ?? false;
  const { data } = useRead("/api/fmw/themes", {}, { when: signedIn && may });
  const resolver = useMemo(() => variables(paletteOf(data?.items ?? [])), [data]);
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={schemes}
      cssVariablesResolver={resolver}
      getStyleNonce={() => nonce}
    >
      {children}
    </MantineProvider>
  );
}

/** The sign-in, or what the reader may do. */
function Session() {
  const signedIn = useSyncExternalStore(onSession, isSignedIn);
  const client = useQueryClient();
  const words = useWords(SHELL);
  const [isAsked, setAsked] = useState(isSignedIn);
  const [problem, setProblem] = useState<unknown>();
  useEffect(() => {
    if (!isAsked) renew().catch(setProblem).finally(() => setAsked(true));
  }, [isAsked]);
  useEffect(() => {
    if (isAsked && !signedIn) client.clear(); // who comes next, perhaps with other rights, reads it anew
  }, [client, isAsked, signedIn]);
  useEffect(() => {
    const followed = followedReader();
    if (followed !== undefined) toast(words.otherReader(followed));
  }, [words]);
  if (!isAsked) return <Waiting />;
  if (problem !== undefined && !signedIn) {
    return (
      <ProblemNote
        problem={problem}
        retry={() => {
          setProblem(undefined);
          setAsked(false);
        }}
      />
    );
  }
  return signedIn ? <SignedIn /> : <SignIn />;
}

const LOOK_MS = 10_000;

function SignedIn() {
  const client = useQueryClient();
  const language = useLanguage();
  const { data: me, error, refetch } = useRead("/auth/me");
  const [, go] = useLocation();
  useEffect(() => {
    const place = placeBefore();
    if (place !== undefined && location.pathname === "/") go(place, { replace: true });
  }, [go]);
  // Who may nothing yet follows no events either: what they are given is looked for.
  const mayNothing = me?.permissions.length === 0;
  useEffect(() => {
    if (!mayNothing) return;
    const looking = setInterval(() => readAgain(client, ["/auth/me"]), LOOK_MS);
    return () => clearInterval(looking);
  }, [client, mayNothing]);
  const mayFollow = me?.permissions.some((it) => covers(it, "live:read")) ?? false;
  // What the API says in words is said in the other language then.
  useEffect(() => {
    readAgain(client, ["/"]);
  }, [client, language]);
  useEffect(() => onReached(() => isReached() && void readAllAgain(client)), [client]);
  useEffect(() => {
    if (!mayFollow) return;
    const leave = new AbortController();
    followLive(client, leave.signal);
    return () => leave.abort();
  }, [client, mayFollow]);
  if (me) {
    return (
      <MeProvider me={me}>
        <Frame />
      </MeProvider>
    );
  }
  return error ? <ProblemNote problem={error} retry={() => void refetch()} /> : <Waiting />;
}
