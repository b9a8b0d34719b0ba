import {
  ActionIcon,
  Alert,
  AppShell,
  Box,
  Burger,
  Button,
  Group,
  Kbd,
  Menu,
  Stack,
  Text,
  UnstyledButton,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useEffect, useRef, useState } from "react";
import { Link, Route, Switch, useLocation } from "wouter";
import { facts } from "../api/facts.ts";
import { useMay, useMe } from "../api/me.tsx";
import { checkReached, useReached } from "../api/online.ts";
import { readAllAgain, useRead } from "../api/queries.ts";
import { signOut } from "../api/session.ts";
import { focusContent } from "../components/focus.ts";
import { Icon } from "../components/icon.tsx";
import { Missing } from "../components/missing.tsx";
import { SendingOff } from "../components/sending_off.tsx";
import { toast, Toasts } from "../components/toasts.tsx";
import { useLanguage, useWords } from "../i18n/language.ts";
import { type PageEntry, PAGES } from "../pages/pages.ts";
import { Caught } from "./caught.tsx";
import { DropAnywhere } from "./drop_anywhere.tsx";
import { Guide } from "./guide.tsx";
import { type KeyAction, KeysHelp, listenForKeys, useOffered } from "./keys.tsx";
import { Logo } from "./logo.tsx";
import { Nav, useNav } from "./nav.tsx";
import { usePaletteActions } from "./palette_actions.ts";
import { OwnPassword } from "./password.tsx";
import { Palette } from "./palette.tsx";
import { RightsOfPage } from "./rights_of_page.tsx";
import { LanguageChoice, ThemeChoice } from "./switches.tsx";
import { printByDay } from "./theme.ts";
import { Waiting } from "./waiting.tsx";
import { SHELL } from "./words.ts";

/** Frame of all pages: navigation, header and content. */
export function Frame() {
  const words = useWords(SHELL);
  const [isNavOpen, nav] = useDisclosure();
  const [isPaletteOpen, palette] = useDisclosure();
  const [isHelpOpen, help] = useDisclosure();
  const [isPasswordOpen, password] = useDisclosure();
  const [isGuideOpen, guide] = useDisclosure();
  const pages = useNav();
  const [location, go] = useLocation();
  useEffect(listenForKeys, []);
  useEffect(printByDay, []);
  const shown = useRef(location);
  useEffect(() => {
    if (shown.current !== location) focusContent();
    shown.current = location;
  }, [location]);
  const offered: readonly KeyAction[] = [
    { key: "mod+k", label: words.palette, run: palette.open },
    { key: "?", label: words.helpKeys, run: help.open },
    { label: words.guide, run: guide.open },
    ...usePaletteActions({ openPassword: password.open }),
    ...pages.map(({ key, path, label }) => ({
      key: `g ${key}`,
      label: words.goTo(label),
      run: () => go(path),
    })),
  ];
  useOffered(offered.map((it) => ({ ...it, isEverywhere: true })));
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 248, breakpoint: "sm", collapsed: { mobile: !isNavOpen } }}
      padding={{ base: "sm", sm: "lg" }}
      transitionDuration={120}
    >
      <a href="#content" className="ps-skip">{words.skip}</a>
      <AppShell.Header className="ps-no-print">
        <Group h="100%" px="md" justify="space-between" wrap="nowrap" gap="xs">
          <Group gap="xs" wrap="nowrap">
            <Burger
              opened={isNavOpen}
              onClick={nav.toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={words.menu}
              aria-expanded={isNavOpen}
            />
            <UnstyledButton component={Link} href="/" className="ps-brand" aria-label="Passerelle">
              <Group gap="xs" wrap="nowrap">
                <Logo />
                <Text fw={650} size="lg" visibleFrom="xs">Passerelle</Text>
              </Group>
            </UnstyledButton>
          </Group>
          <Button
            variant="default"
            color="gray"
            className="ps-search"
            leftSection={<Icon name="search" size={16} />}
            rightSection={<Kbd visibleFrom="sm" size="xs">Ctrl K</Kbd>}
            onClick={palette.open}
          >
            <Text span inherit hiddenFrom="xs">{words.paletteShort}</Text>
            <Text span inherit visibleFrom="xs">{words.palette}</Text>
          </Button>
          <Group gap="xs" wrap="nowrap">
            <ActionIcon
              variant="default"
              size="lg"
              aria-label={words.guide}
              onClick={guide.open}
            >
              <Icon name="help" />
            </ActionIcon>
            <Account onKeys={help.open} onPassword={password.open} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar
        p="xs"
        className="ps-nav ps-no-print"
        aria-label={words.nav}
        data-closed={!isNavOpen || undefined}
      >
        <Nav onGo={nav.close} />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Notices />
        <Caught key={location}>
          <RightsOfPage>
            <Suspense fallback={<Waiting />}>
              <Pages />
            </Suspense>
          </RightsOfPage>
        </Caught>
      </AppShell.Main>
      <Palette opened={isPaletteOpen} onClose={palette.close} />
      <KeysHelp opened={isHelpOpen} onClose={help.close} />
      <Guide opened={isGuideOpen} onClose={guide.close} />
      <OwnPassword opened={isPasswordOpen} onClose={password.close} />
      <Toasts close={words.close} />
      <DropAnywhere />
    </AppShell>
  );
}

function Pages() {
  const pages = useNav();
  return (
    <Switch>
      {pages.map(({ path, below = "", component }) => (
        <Route key={path} path={path + below} component={component} />
      ))}
      <Route>
        <NoPage shown={pages} />
      </Route>
    </Switch>
  );
}

/** Names the missing thing at an address: the page itself, a right, or the language model. */
function NoPage({ shown }: { shown: readonly PageEntry[] }) {
  const language = useLanguage();
  const may = useMay();
  const [location] = useLocation();
  const closed = PAGES.find(({ path }) =>
    path !== "/" && `${location}/`.startsWith(`${path}/`) && !shown.some((it) => it.path === path)
  );
  return <Missing closed={closed?.name[language]} lacksModel={closed?.needs.some(may)} />;
}

function Notices() {
  const words = useWords(SHELL);
  const isReached = useReached();
  const client = useQueryClient();
  const [isTold, setTold] = useState(false);
  const isDeaf = !useMay()("live:read") && !isTold;
  const isCalm = facts.auth && facts.sending && isReached && !isDeaf;
  return (
    <Stack gap="xs" mb={isCalm ? 0 : "md"} className="ps-no-print">
      {!facts.auth && (
        <Alert color="yellow" variant="light" p="xs" icon={<Icon name="info" />}>
          {words.open}
        </Alert>
      )}
      <SendingOff />
      <Box role="status">
        {!isReached && (
          <Alert color="red" variant="light" p="xs" icon={<Icon name="warning" />}>
            {words.offline}
          </Alert>
        )}
        {isReached && isDeaf && (
          <Alert
            color="gray"
            variant="light"
            p="xs"
            icon={<Icon name="info" />}
            withCloseButton
            closeButtonLabel={words.close}
            onClose={() => setTold(true)}
          >
            {words.deaf}{" "}
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => void readAllAgain(client)}
            >
              {words.readAgain}
            </Button>
          </Alert>
        )}
      </Box>
    </Stack>
  );
}

/** Name, username and roles of the reader; the names of roles for those who may read them. */
function Identity() {
  const { username, display_name: name, roles } = useMe();
  const mayList = useMay()("users:read");
  const { data } = useRead("/admin/roles", { query: { limit: 500 } }, { when: mayList });
  const names = new Map(data?.roles.map((it) => [it.name, it.display_name]));
  const held = roles.map((it) => names.get(it) || it);
  return (
    <Box px="sm" py="xs">
      <Text fw={600} truncate>{name}</Text>
      <Text size="xs" c="dimmed" truncate>
        {[...username === name ? [] : [username], ...held].join(" · ")}
      </Text>
    </Box>
  );
}

function Account({ onKeys, onPassword }: { onKeys: () => void; onPassword: () => void }) {
  const words = useWords(SHELL);
  const { has_password: hasPassword } = useMe();
  const leave = (everywhere: boolean) =>
    signOut({ everywhere }).catch(() => {
      toast(words.notSignedOut, "failed");
      void checkReached();
    });
  return (
    <Menu position="bottom-end" width={260} transitionProps={{ duration: 100 }}>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label={words.account}>
          <Icon name="user" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Identity />
        <Menu.Divider />
        <LanguageChoice />
        <ThemeChoice />
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="info" />} onClick={onKeys} rightSection={<Kbd>?</Kbd>}>
          {words.keys}
        </Menu.Item>
        <Menu.Item component="a" href="/docs" leftSection={<Icon name="file" />}>
          {words.api}
        </Menu.Item>
        {facts.auth && hasPassword && (
          <Menu.Item leftSection={<Icon name="user" />} onClick={onPassword}>
            {words.password}
          </Menu.Item>
        )}
        {facts.auth && (
          <Menu.Item
            leftSection={<Icon name="lock" />}
            onClick={() => leave(false)}
          >
            {words.signOut}
          </Menu.Item>
        )}
        {facts.auth && (
          <Menu.Item
            leftSection={<Icon name="lock" />}
            onClick={() => leave(true)}
          >
            {words.signOutEverywhere}
          </Menu.Item>
        )}
        <Text size="xs" c="dimmed" px="sm" pb={4}>Passerelle {facts.version}</Text>
      </Menu.Dropdown>
    </Menu>
  );
}
