import { Alert, MantineProvider } from "@mantine/core";
import { QueryClientProvider, useQueryClient } from "@tanstack/react-query";
import {
  type ComponentType,
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
  readStoredAddress,
  renew,
  sessionState,
} from "../api/session.ts";
import { Icon } from "../components/icon.tsx";
import { ProblemNote, problemText } from "../components/notes.tsx";
import { toast } from "../components/toasts.tsx";
import { useLanguage, useWords } from "../i18n/language.ts";
import { SignIn } from "../pages/sign_in/sign_in.tsx";
import { Frame } from "./frame.tsx";
import { Outline } from "./outline.tsx";
import { AddressProvider } from "./place.tsx";
import { readPalette, schemes, theme, variables } from "./theme.ts";
import { SHELL } from "./words.ts";
import { Waiting } from "./waiting.tsx";

/** Page of a share link, which needs no session. */
const Shared = lazy(() => import("../pages/assistant/shared.tsx"));
/** Page of an invitation, which needs no session either. */
const Invitation = lazy(() => import("../pages/sign_in/invitation.tsx"));
/** Pages without a session, by path. */
const OPEN_PAGES: Readonly<Record<string, ComponentType>> = {
  "/shared": Shared,
  "/invitation": Invitation,
};

export function App() {
  const [client] = useState(() => newQueryClient((it) => toast(problemText(it), "failed")));
  const [OpenPage] = useState(() => OPEN_PAGES[location.pathname]);
  return (
    <QueryClientProvider client={client}>
      <Coloured>
        {OpenPage
          ? (
            <Suspense fallback={<Waiting />}>
              <OpenPage />
            </Suspense>
          )
          : (
            <AddressProvider>
              {IS_SAFE ? <Session /> : <Unsafe />}
            </AddressProvider>
          )}
      </Coloured>
    </QueryClientProvider>
  );
}

/**
 * True if a session is possible or not needed. Without a secure context the browser offers neither secure cookies
 * nor the lock that serializes renewals.
 */
const IS_SAFE = isSecureContext || !facts.auth;

function Unsafe() {
  const words = useWords(SHELL);
  return (
    <Alert color="red" m="md" role="alert" title={words.unsafe} icon={<Icon name="lock" />}>
      {words.unsafeHint}
    </Alert>
  );
}

/** Applies the installation's own colors once they are loaded. */
function Coloured({ children }: { children: ReactNode }) {
  const signedIn = useSyncExternalStore(onSession, isSignedIn);
  const me = useRead("/auth/me", {}, { when: signedIn });
  const may = me.data?.permissions.some((it) => covers(it, "fmw:read")) ?? false;
  const { data } = useRead("/api/fmw/themes", {}, { when: signedIn && may });
  const resolver = useMemo(() => variables(readPalette(data?.items ?? [])), [data]);
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

/**
 * Shows the sign-in or the pages. After an expired session it shows the sign-in above the pages, so that
 * input is kept.
 */
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
    if (isAsked && state === "none") client.clear(); // the next user, perhaps with other rights, must read everything again
  }, [client, isAsked, state]);
  useEffect(() => {
    const followed = followedReader();
    if (followed !== undefined) toast(words.otherReader(followed));
  }, [words]);
  if (!isAsked) return <Outline />;
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
    document.body.dataset["over"] = ""; // dialogs and menus are rendered outside the page
    return () => {
      delete document.body.dataset["over"];
      void readAllAgain(client); // rights may have changed
    };
  }, [client, isOver]);
  const language = useLanguage();
  const { data: me, error, refetch } = useRead("/auth/me");
  const [, go] = useLocation();
  useEffect(() => {
    const place = readStoredAddress();
    const isHome = location.pathname === "/";
    if (place !== undefined && isHome) go(place, { replace: true });
    else if (isHome && failedSignIn() !== undefined) go("/", { replace: true }); // the reader has signed in meanwhile
  }, [go]);
  // Readers without the permission for live events need polling to learn of new rights.
  const mayFollow = me?.permissions.some((it) => covers(it, "live:read")) ?? false;
  const isDeaf = me !== undefined && !mayFollow;
  useEffect(() => {
    if (!isDeaf) return;
    const looking = setInterval(() => void readAgain(client, ["/auth/me"]), LOOK_MS);
    return () => clearInterval(looking);
  }, [client, isDeaf]);
  // The API's sentences are read again in the new language.
  useEffect(() => {
    void readAgain(client, ["/"]);
  }, [client, language]);
  useEffect(() => onReached(() => isReached() && void readAllAgain(client)), [client]);
  // Live events resume after this first answer, since all pages read later. Answers of later reads are no
  // safe starting point.
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
  return error ? <ProblemNote problem={error} retry={() => void refetch()} /> : <Outline />;
}
