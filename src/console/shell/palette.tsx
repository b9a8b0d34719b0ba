import { Box, Group, Modal, ScrollArea, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { useMay } from "../api/me.tsx";
import { useRead } from "../api/queries.ts";
import { useWaiting, type WorkKind } from "../api/waiting.ts";
import type { components } from "../api/schema.d.ts";
import { Icon, type IconName } from "../components/icon.tsx";
import { BLOCKED } from "../components/invoices/blocked_words.ts";
import { withSign } from "../components/invoices/credit.ts";
import { addPrefixSign, isShortBeginning } from "../components/invoices/prefix_sign.ts";
import { ProblemNote } from "../components/notes.tsx";
import { useFormats, useLanguage, useWords } from "../i18n/language.ts";
import { mayOpen } from "../pages/apps/address.ts";
import { findList, STATUSES } from "../pages/home/work_lists.ts";
import { HOME } from "../pages/home/words.ts";
import { type KeyAction, useActions } from "./keys.tsx";
import { useNav } from "./nav.tsx";
import { SYNONYMS } from "./palette_actions.ts";
import { useNavigationTargets } from "./places.ts";
import { SHELL } from "./words.ts";

type Invoice = components["schemas"]["InvoiceSummary"];

interface Choice {
  readonly icon: IconName;
  readonly label: string;
  readonly kind: string;
  /** Further words under which the choice is found. */
  readonly also?: string | undefined;
  readonly run: () => void;
}

const PAUSE_MS = 150;
const MAX = 8;
/** Key of an invoice, `doc-dct-kco`, as pages and messages write it. */
const KEY = /^(\S+)-([^-\s]{1,20})-([^-\s]{1,20})$/;

/**
 * Search for pages, actions and invoices. `@mantine/spotlight` has no roles for screen readers, and its Enter
 * key opens a page although an invoice arrived above it.
 */
export function Palette({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const words = useWords(SHELL);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      withCloseButton={false}
      attributes={{ content: { "aria-label": words.palette } }}
      yOffset="12vh"
      centered={false}
      padding={0}
      size="lg"
    >
      <Finder onClose={onClose} />
    </Modal>
  );
}

function Finder({ onClose }: { onClose: () => void }) {
  const words = useWords(SHELL);
  const list = useId();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  // Enter was pressed before the results arrived: it opens the first result of the new text, not of the
  // previous one.
  const [isAwaited, setIsAwaited] = useState(false);
  const { choices, isSearching, problem } = useChoices(text.trim());
  // Focus at once: a dialog sets the focus later, and earlier key presses would be lost.
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const chosen = Math.min(at, choices.length - 1);
  const choose = (choice: Choice | undefined) => {
    if (!choice) return;
    onClose();
    choice.run();
  };
  useEffect(() => {
    if (!isAwaited || isSearching) return;
    setIsAwaited(false);
    choose(choices[chosen]);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setIsAwaited(false);
      setAt((chosen + step + choices.length) % Math.max(1, choices.length));
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (isSearching && chosen <= 0) setIsAwaited(true);
      else choose(choices[chosen]);
    }
  };
  return (
    <>
      <TextInput
        ref={field}
        data-autofocus
        size="md"
        variant="unstyled"
        px="md"
        py="xs"
        leftSection={<Icon name="search" />}
        placeholder={words.paletteHint}
        aria-label={words.palette}
        role="combobox"
        aria-expanded
        aria-controls={list}
        aria-activedescendant={choices[chosen] && `${list}-${chosen}`}
        value={text}
        onChange={(it) => {
          setText(it.currentTarget.value);
          setAt(0);
          setIsAwaited(false);
        }}
        onKeyDown={onKeyDown}
      />
      <ScrollArea.Autosize mah="50vh" className="ps-palette">
        <Box role="listbox" id={list} aria-label={words.palette}>
          {choices.map((it, index) => (
            <Group
              key={`${index} ${it.kind} ${it.label}`}
              id={`${list}-${index}`}
              role="option"
              aria-selected={index === chosen}
              className="ps-choice"
              wrap="nowrap"
              onMouseEnter={() => setAt(index)}
              onClick={() => choose(it)}
            >
              <Icon name={it.icon} />
              <Group flex={1} miw={0} gap="0 12px">
                <Text size="sm" flex="1 1 200px" truncate>{it.label}</Text>
                <Text size="xs" c="dimmed" truncate>{it.kind}</Text>
              </Group>
            </Group>
          ))}
        </Box>
        {!isSearching && <ProblemNote problem={problem} />}
        {choices.length === 0 && !isSearching && !problem && (
          <Text size="sm" c="dimmed" p="md">
            {isShortBeginning(text.trim()) ? words.paletteTooShort : words.paletteEmpty}
          </Text>
        )}
      </ScrollArea.Autosize>
    </>
  );
}

/**
 * Returns the results for a text: the invoice of this number, then pages and actions that begin with it. While a
 * search runs, the invoices of the previous text stay.
 */
function useChoices(
  text: string,
): { choices: readonly Choice[]; isSearching: boolean; problem: unknown } {
  const words = useWords(SHELL);
  const toChoice = useInvoiceChoice();
  const [, go] = useLocation();
  const nav = useNav();
  const { all, sales, purchases, isSearching, problem } = useFound(text);
  const synonyms = useWords(SYNONYMS);
  const pages = nav.map(({ path, label, icon }): Choice => ({
    icon,
    label,
    kind: words.page,
    also: synonyms[path],
    run: () => go(path),
  }));
  const { onThisPage, everywhere } = useOfferedActions();
  // A search by number also finds partial numbers and customer names; the exact number comes first.
  const isIt = (it: Invoice) =>
    [it.ublNumber, `${it.fedoc}-${it.fedct}-${it.kco}`].some((id) => plain(id) === plain(text));
  const exact = all.filter(isIt);
  const shown = text.length < 2
    ? []
    : [...exact, ...shareRoom(all.filter((it) => !isIt(it)), Math.max(0, MAX - exact.length))];
  const invoices = shown.map(toChoice);
  const places = useNavigationTargets().map(({ path, ...it }): Choice => ({
    ...it,
    also: synonyms[path],
    run: () => go(path),
  }));
  const statuses = useStatuses();
  const work = useWork().filter(({ label }) => places.every((it) => it.label !== label));
  const named = [
    ...onThisPage,
    ...pages,
    ...everywhere,
    ...text === "" ? [] : [...work, ...places, ...statuses],
  ];
  const toAll = useAllChoice(text, [sales, purchases]);
  const choices = placeInvoices(invoices, findNamed(named, text), {
    exact: exact.length,
    isFirst: (it) => it.kind !== words.filter && plain(it.label).startsWith(plain(text)),
  });
  return {
    choices: toAll && invoices.length ? [...choices, toAll] : choices,
    isSearching,
    problem,
  };
}

/** Searches the invoices of both sides. While a search runs, those of the previous text stay. */
function useFound(text: string) {
  const may = useMay();
  const [searched] = useDebouncedValue(text, PAUSE_MS);
  const isForInvoices = (it: string) => it.length >= 2 && may("invoices:read");
  const search = addPrefixSign(searched);
  const options = { when: isForInvoices(searched), keep: true };
  const sales = useRead("/api/invoices", {
    query: { search, direction: "issued", pageSize: MAX },
  }, options);
  const purchases = useRead("/api/invoices", {
    query: { search, direction: "received", pageSize: MAX },
  }, options);
  const sides = [sales, purchases];
  const [, doc = "", dct = "", kco = ""] = KEY.exec(searched) ?? [];
  const ofKey = useRead("/api/invoices", { query: { search: doc, dct, kco, pageSize: MAX } }, {
    when: doc !== "" && isForInvoices(searched),
  });
  const isSearching = isForInvoices(text) &&
    (searched !== text || ofKey.isLoading ||
      sides.some((it) => it.isPlaceholderData || it.isLoading));
  const all = [
    ...sales.data?.invoices ?? [],
    ...doc && ofKey.data?.invoices || [],
    ...purchases.data?.invoices ?? [],
  ];
  return {
    all,
    sales: sales.data,
    purchases: purchases.data,
    isSearching,
    problem: isForInvoices(text) ? sales.error ?? purchases.error ?? ofKey.error : null,
  };
}

/** Divides the room between sales and purchases. A side with fewer invoices leaves its room to the other. */
function shareRoom(invoices: readonly Invoice[], room: number): readonly Invoice[] {
  const sales = invoices.filter(({ direction }) => direction === "issued");
  const purchases = invoices.filter(({ direction }) => direction === "received");
  const own = sales.slice(0, Math.max(Math.ceil(room / 2), room - purchases.length));
  return [...own, ...purchases.slice(0, Math.max(0, room - own.length))];
}

/** Returns the choice that lists all found invoices, if there are more than the palette shows. */
function useAllChoice(
  text: string,
  [sales, purchases]: readonly (components["schemas"]["InvoiceList"] | undefined)[],
): Choice | undefined {
  const words = useWords(SHELL);
  const { number } = useFormats();
  const [, go] = useLocation();
  if (!sales || !purchases) return undefined;
  const count = sales.total + purchases.total;
  if (count <= MAX) return undefined;
  const isCapped = sales.totalIsCapped || purchases.totalIsCapped;
  const search = encodeURIComponent(text);
  const path = sales.total === 0
    ? "/received?"
    : `/invoices?${purchases.total ? "direction=both&" : ""}`;
  return {
    icon: "search",
    label: words.allFor(text),
    kind: words.found(`${number(count)}${isCapped ? "+" : ""}`),
    run: () => go(`${path}search=${search}`),
  };
}

/** Returns the actions of the page, those with an own key last, and the actions of every page. */
function useOfferedActions() {
  const words = useWords(SHELL);
  const actions = useActions().filter(({ key }) => !key?.startsWith("g "));
  const toChoice = (kind: string) => ({ label, run }: KeyAction): Choice => ({
    icon: "play",
    label,
    kind,
    run,
  });
  return {
    onThisPage: actions.filter(({ isEverywhere }) => !isEverywhere)
      .sort((a, b) => Number(a.key !== undefined) - Number(b.key !== undefined))
      .map(toChoice(words.onThisPage)),
    everywhere: actions.filter(({ isEverywhere }) => isEverywhere).map(toChoice(words.action)),
  };
}

/** Puts invoices after the named choices that come first, and those of the exact number before all. */
function placeInvoices(invoices: readonly Choice[], named: readonly Choice[], { exact, isFirst }: {
  /** Number of invoices with the exact number, which come first. */
  readonly exact: number;
  readonly isFirst: (choice: Choice) => boolean;
}): readonly Choice[] {
  return [
    ...invoices.slice(0, exact),
    ...named.filter(isFirst),
    ...invoices.slice(exact),
    ...named.filter((it) => !isFirst(it)),
  ];
}

/** Returns the choices with all words of a text in their label, then those with them in their further words. */
function findNamed(named: readonly Choice[], text: string): readonly Choice[] {
  const parts = plain(text).split(/\s+/);
  const isIn = (it: string | undefined) =>
    it !== undefined && parts.every((part) => plain(it).includes(part));
  return [
    ...named.filter((it) => isIn(it.label)),
    ...named.filter((it) => !isIn(it.label) && isIn(it.also)),
  ];
}

/** Returns an invoice as a choice, with its status and amount. */
function useInvoiceChoice(): (it: Invoice) => Choice {
  const isEnglish = useLanguage() === "en";
  const { blocked } = useWords(BLOCKED);
  const { amount } = useFormats();
  const [, go] = useLocation();
  return (it) => {
    // A received invoice opens in the list of received invoices.
    const isReceived = it.direction === "received";
    const id = encodeURIComponent(`${it.fedoc}-${it.fedct}-${it.kco}`);
    return {
      icon: isReceived ? "download" : "invoices",
      label: `${it.ublNumber} · ${it.role === "buyer" ? it.supplierName : it.customerName}`,
      kind: [
        it.blockedSubmission ? blocked : isEnglish ? it.statusLabelEn : it.statusLabel,
        amount(withSign(it.invoiceType, it.totalTTC), it.currency),
      ].filter(Boolean).join(" · "),
      run: () => go(`${isReceived ? "/received" : "/invoices"}/${id}`),
    };
  };
}

/** Returns the statuses of invoices, each of which opens the list with its filter. */
function useStatuses(): readonly Choice[] {
  const words = useWords(SHELL);
  const [, go] = useLocation();
  const when = useMay()("invoices:read");
  const { data } = useRead("/api/catalogues/{name}", { path: { name: "statuses" } }, { when });
  const { kinds } = useWords(HOME);
  const byCode = new Map((data?.items ?? []).map((it) => [it.code, it.label]));
  return [...byCode].map(([code, label]): Choice => ({
    icon: "filter",
    label: words.invoicesIn(label),
    kind: words.filter,
    also: KINDS.filter((it) => STATUSES[it] === code).map((it) => kinds[it]).join(" "),
    run: () => go(`/invoices?status=${encodeURIComponent(code)}`),
  }));
}

const KINDS = Object.keys(HOME.en.kinds) as WorkKind[];

/** Returns the lists of the work that Home names, except those of one status. */
function useWork(): readonly Choice[] {
  const words = useWords(SHELL);
  const { kinds } = useWords(HOME);
  const { blocked } = useWords(BLOCKED);
  const [, go] = useLocation();
  const may = useMay();
  const { data } = useWaiting();
  const today = data?.today;
  if (!today) return [];
  return KINDS.flatMap((kind): readonly Choice[] => {
    const path = findList(kind, today);
    if (STATUSES[kind] || !mayOpen(path, may)) return [];
    return [{
      icon: "filter",
      label: kinds[kind],
      kind: words.filter,
      also: kind === "submission-stuck" ? blocked : undefined,
      run: () => go(path),
    }];
  });
}

/** Removes case and accents. */
function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
