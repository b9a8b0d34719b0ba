import { Alert, MantineProvider } from "@mantine/core";
import { QueryClientProvider, useQueryClient } from "@tanstack/react-query";
import {
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { useLocation } from "wouter";
import { facts, nonce } from "../api/facts.ts";
import { followLive } from "../api/live.ts";
import { covers, MeProvider } from "../api/me.tsx";
import { isReached, onReached } from "../api/online.ts";
import { newQueryClient, readAgain, readAllAgain, useRead } from "../api/queries.ts";
import {
  failedSignIn,
  followedReader,
  isSignedIn,
  onSession,
  placeBefore,
  renew,
  sessionState,
} from "../api/session.ts";
import { Icon } from "../components/icon.tsx";
import { ProblemNote, problemText } from "../components/notes.tsx";
import { toast } from "../components/toasts.tsx";
import { useLanguage, useWords } from "../i18n/language.ts";
import { SignIn } from "../pages/sign_in/sign_in.tsx";
import { Frame, Waiting } from "./frame.tsx";
import { Place } from "./place.tsx";
import { paletteOf, schemes, theme, variables } from "./theme.ts";
import { SHELL } from "./words.ts";

/** Who has a link to it needs no session. */
const Shared = lazy(() => import("../pages/assistant/shared.tsx"));

export function App() {
  const [client] = useState(() => newQueryClient((it) => toast(problemText(it), "failed")));
  return (
    <QueryClientProvider client={client}>
      <Coloured>
        {location.pathname === "/shared"
          ? (
            <Suspense fallback={<Waiting />}>
              <Shared />
            </Suspense>
          )
          : (
            <Place>
              {IS_SAFE ? <Session /> : <Unsafe />}
            </Place>
          )}
      </Coloured>
    </QueryClientProvider>
  );
}

/** Elsewhere a browser keeps no session: neither its cookies nor the lock that lets one tab after the other renew it are there. */
const IS_SAFE = isSecureContext || !facts.auth;

function Unsafe() {
  const words = useWords(SHELL);
  return (
    <Alert color="red" m="md" role="alert" title={words.unsafe} icon={<Icon name="lock" />}>
      {words.unsafeHint}
    </Alert>
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

/** The sign-in, or what the reader may do; where their session ended in between, both, and what they typed is kept. */
function Session() {
  const state = useSyncExternalStore(onSession, sessionState);
  const client = useQueryClient();
  const words = useWords(SHELL);
  const [isAsked, setAsked] = useState(isSignedIn);
  const [problem, setProblem] = useState<unknown>();
  useEffect(() => {
    if (!isAsked) renew().catch(setProblem).finally(() => setAsked(true));
  }, [isAsked]);
  useEffect(() => {
    if (isAsked && state === "none") client.clear(); // who comes next, perhaps with other rights, reads it anew
  }, [client, isAsked, state]);
  useEffect(() => {
    const followed = followedReader();
    if (followed !== undefined) toast(words.otherReader(followed));
  }, [words]);
  if (!isAsked) return <Waiting />;
  if (problem !== undefined && state === "none") {
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
  if (state === "none") return <SignIn />;
  return (
    <>
      <div style={{ display: state === "over" ? "none" : "contents" }}>
        <SignedIn isOver={state === "over"} />
      </div>
      {state === "over" && <SignIn isAgain />}
    </>
  );
}

const LOOK_MS = 10_000;

function SignedIn({ isOver }: { isOver: boolean }) {
  const client = useQueryClient();
  useEffect(() => {
    if (!isOver) return;
    document.body.dataset["over"] = ""; // dialogs and menus stand beside the page
    return () => {
      delete document.body.dataset["over"];
      void readAllAgain(client); // perhaps with other rights
    };
  }, [client, isOver]);
  const language = useLanguage();
  const { data: me, error, refetch } = useRead("/auth/me");
  const [, go] = useLocation();
  useEffect(() => {
    const place = placeBefore();
    const isHome = location.pathname === "/";
    if (place !== undefined && isHome) go(place, { replace: true });
    else if (isHome && failedSignIn() !== undefined) go("/", { replace: true }); // they are signed in by now
  }, [go]);
  // Whoever may follow no events hears of no rights: what they are given is looked for.
  const mayFollow = me?.permissions.some((it) => covers(it, "live:read")) ?? false;
  const isDeaf = me !== undefined && !mayFollow;
  useEffect(() => {
    if (!isDeaf) return;
    const looking = setInterval(() => void readAgain(client, ["/auth/me"]), LOOK_MS);
    return () => clearInterval(looking);
  }, [client, isDeaf]);
  // What the API says in words is said in the other language then.
  useEffect(() => {
    void readAgain(client, ["/"]);
  }, [client, language]);
  useEffect(() => onReached(() => isReached() && void readAllAgain(client)), [client]);
  // Whatever the pages read is asked for after this answer; later ones are no place to begin at.
  const after = useRef<string>(undefined);
  after.current ??= me?.last_event_id ?? undefined;
  useEffect(() => {
    if (!mayFollow) return;
    const leave = new AbortController();
    followLive(client, { after: after.current, signal: leave.signal });
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
