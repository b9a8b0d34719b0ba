import { newMutex } from "#src/kernel/concurrency/mutex.ts";
import type { Deps } from "#src/deps.ts";
import type { SectionName } from "#src/definitions/sections.ts";
import { toMessage } from "#src/kernel/errors.ts";
import { newWaker } from "#src/kernel/waker.ts";
import type { CheckedSection, Configuration, GivenPools } from "#src/ports/configuration.ts";
import type { DurableCache } from "#src/ports/kept.ts";
import type { SectionTexts } from "#src/ports/section_texts.ts";
import { assemble, type Assembled, assembleYielding } from "./assemble.ts";
import { readKept, writeKept } from "./kept_sections.ts";
import { formatProblem } from "./problems.ts";
import { readCurrentRevisions, readTexts } from "./store.ts";

/** Type of the live event that announces changed sections to other processes. */
export const RELOADED = "config.reloaded";
/** Interval of checks for changes by other processes, in case an announcement is lost. */
const POLL_MS = 30_000;
/** Number of checked sections in the cache: effective, stored, and just written ones. */
const REMEMBERED = 60;

interface RegistryDeps extends Pick<Deps, "db" | "live" | "log" | "sectionTexts"> {
  /** Cache of the effective sections, so that the next start need not check them again. */
  readonly kept?: DurableCache | undefined;
  /** Reads the sections in force; default: as all others. */
  readonly textsInForce?: SectionTexts;
  readonly givenPools?: GivenPools;
}

/** Loads the effective configuration into this process. Resolves when it is loaded. */
export async function openConfiguration(deps: RegistryDeps): Promise<Configuration> {
  const { kept, live, log, givenPools = new Map() } = deps;
  const { check, checkInForce, remember } = remembering(deps);
  let current = assemble(new Map(), 0, givenPools);
  let isFirst = true;
  const inOrder = newMutex();
  const read = async () => {
    const next = await inForce({ ...deps, givenPools }, {
      before: current,
      check: checkInForce,
      isFirst,
    });
    if (next?.isKept) next.sections.forEach(remember);
    isFirst = false;
    if (!next) return;
    for (const it of next.problems) {
      log.error("configuration.load.failed", { reason: formatProblem(it) });
    }
    if (next.problems.length) return; // the last good one stays
    for (const it of next.broken) {
      log.warn("configuration.reference.broken", { reason: formatProblem(it) });
    }
    current = next;
    if (kept && !next.isKept) {
      await writeKept(kept, next.sections).catch((error) =>
        log.warn("configuration.keep.failed", { error: toMessage(error) })
      );
    }
  };
  /** Starts each reload after the running one, because it must see everything committed before the request. */
  const reload = () => inOrder(read);
  await reload();
  return {
    current: () => current.snapshot,
    givenPools,
    check,
    reload,
    async run(signal) {
      const waker = newWaker();
      const stop = live.subscribe((event) => event.type === RELOADED && waker.wake());
      while (!signal.aborted) {
        await waker.wait(POLL_MS, signal);
        if (signal.aborted) break;
        await reload().catch((error) =>
          log.warn("configuration.follow.failed", { error: toMessage(error) })
        );
      }
      stop();
    },
  };
}

type Check = Configuration["check"];

/** Returns undefined when nothing changed. The first call may use sections cached by another process. */
async function inForce(
  { db, kept, givenPools }: RegistryDeps & { readonly givenPools: GivenPools },
  { before, check, isFirst }: { before: Assembled; check: Check; isFirst: boolean },
): Promise<(Assembled & { readonly isKept: boolean }) | undefined> {
  const active = new Map<SectionName, number>();
  for (const [name, heads] of await readCurrentRevisions(db)) {
    if (heads.active !== null) active.set(name, heads.active);
  }
  const revision = Math.max(0, ...active.values());
  const texts = await readTexts(db, active);
  const known = isFirst && kept && !givenPools.size
    ? await readKept(kept, removeEmpty(texts))
    : undefined;
  const sections = known ?? await checkedAll(check, texts);
  const { size } = before.sections;
  const isSame = revision === before.snapshot.revision && size === sections.size &&
    [...sections].every(([name, it]) => before.sections.get(name)?.tag === it.tag);
  if (isSame) return undefined;
  const isKept = known !== undefined;
  const assembled = await assembleYielding(sections, revision, { givenPools, isChecked: isKept });
  return { ...assembled, isKept };
}

export async function checkedAll(
  check: Check,
  texts: ReadonlyMap<SectionName, string>,
): Promise<Map<SectionName, CheckedSection>> {
  return new Map(
    await Promise.all(
      [...removeEmpty(texts)].map(async ([name, text]) =>
        [name, await check({ name, text })] as const
      ),
    ),
  );
}

/** An empty text is no section. */
function removeEmpty(texts: ReadonlyMap<SectionName, string>): Map<SectionName, string> {
  return new Map([...texts].filter(([, text]) => text.trim()));
}

/** Parsing costs far more than comparing: a text that was checked lately is not parsed again. */
function remembering(
  { sectionTexts, textsInForce = sectionTexts }: Pick<
    RegistryDeps,
    "sectionTexts" | "textsInForce"
  >,
): { check: Check; checkInForce: Check; remember(checked: CheckedSection): void } {
  const known = new Map<string, Promise<CheckedSection>>();
  const getKey = ({ name, text }: { name: SectionName; text: string }) => `${name}\n${text}`;
  const checkedBy = (texts: SectionTexts): Check => (section) => {
    const key = getKey(section);
    const checked = known.get(key) ?? texts.check(section);
    const forget = () => known.delete(key);
    // A section with problems is not in force: it would only take memory.
    checked.then(({ problems }) => problems.length && forget(), forget);
    known.delete(key);
    known.set(key, checked);
    const [oldest] = known.keys();
    if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest);
    return checked;
  };
  return {
    check: checkedBy(sectionTexts),
    checkInForce: checkedBy(textsInForce),
    remember: (checked) => void known.set(getKey(checked), Promise.resolve(checked)),
  };
}
