import type { Deps } from "#src/deps.ts";
import type { SectionName } from "#src/definitions/sections.ts";
import { messageOf } from "#src/kernel/errors.ts";
import { newWaker } from "#src/kernel/waker.ts";
import type { CheckedSection, Configuration } from "#src/ports/configuration.ts";
import type { Kept } from "#src/ports/kept.ts";
import { assemble, type Assembled, assembleInTurns } from "./assemble.ts";
import { readKept, writeKept } from "./kept_sections.ts";
import { lineOf } from "./problems.ts";
import { readCurrentRevisions, readTexts } from "./store.ts";

/** Type of the live event by which a process tells the others that sections of the settings have changed. */
export const RELOADED = "config.reloaded";
/** How often changes of other processes are looked for when no announcement came. */
const POLL_MS = 30_000;
/** Sections that were checked and may be asked for again: those in force, those stored, those just written. */
const REMEMBERED = 60;

interface Needs extends Pick<Deps, "db" | "live" | "log" | "sectionTexts"> {
  /** Of the sections in force, for the next start, which need not check them again. */
  readonly kept?: Kept | undefined;
}

/** What is in force, as this process knows it. Resolves when it is loaded. */
export async function openConfiguration(needs: Needs): Promise<Configuration> {
  const { kept, live, log } = needs;
  const { check, remember } = remembering(needs);
  let current = assemble(new Map(), 0);
  let isFirst = true;
  let reading: Promise<void> = Promise.resolve();
  const read = async () => {
    const next = await inForce(needs, { before: current, check, isFirst });
    if (next?.isKept) next.sections.forEach(remember);
    isFirst = false;
    if (!next) return;
    for (const it of next.problems) log.error("configuration.load.failed", { reason: lineOf(it) });
    if (next.problems.length) return; // the last good one stays
    for (const it of next.broken) {
      log.warn("configuration.reference.broken", { reason: lineOf(it) });
    }
    current = next;
    if (kept && !next.isKept) {
      await writeKept(kept, next.sections).catch((error) =>
        log.warn("configuration.keep.failed", { error: messageOf(error) })
      );
    }
  };
  /** One asked for while another runs starts after it: it must see what was committed before it was asked for. */
  const reload = () => {
    reading = reading.catch(() => {}).then(read);
    return reading;
  };
  await reload();
  return {
    current: () => current.snapshot,
    check,
    reload,
    async run(signal) {
      const waker = newWaker();
      const stop = live.subscribe((event) => event.type === RELOADED && waker.wake());
      while (!signal.aborted) {
        await waker.wait(POLL_MS, signal);
        if (signal.aborted) break;
        await reload().catch((error) =>
          log.warn("configuration.follow.failed", { error: messageOf(error) })
        );
      }
      stop();
    },
  };
}

type Check = Configuration["check"];

/** Undefined where nothing changed. The first time it may be what another process kept. */
async function inForce(
  { db, kept }: Needs,
  { before, check, isFirst }: { before: Assembled; check: Check; isFirst: boolean },
): Promise<(Assembled & { readonly isKept: boolean }) | undefined> {
  const active = new Map<SectionName, number>();
  for (const [name, heads] of await readCurrentRevisions(db)) {
    if (heads.active !== null) active.set(name, heads.active);
  }
  const revision = Math.max(0, ...active.values());
  const texts = await readTexts(db, active);
  const known = isFirst && kept ? await readKept(kept, written(texts)) : undefined;
  const sections = known ?? await checkedAll(check, texts);
  const { size } = before.sections;
  const isSame = revision === before.snapshot.revision && size === sections.size &&
    [...sections].every(([name, it]) => before.sections.get(name)?.tag === it.tag);
  if (isSame) return undefined;
  const isKept = known !== undefined;
  return { ...await assembleInTurns(sections, revision, { isChecked: isKept }), isKept };
}

export async function checkedAll(
  check: Check,
  texts: ReadonlyMap<SectionName, string>,
): Promise<Map<SectionName, CheckedSection>> {
  return new Map(
    await Promise.all(
      [...written(texts)].map(async ([name, text]) => [name, await check({ name, text })] as const),
    ),
  );
}

/** An empty text is no section. */
function written(texts: ReadonlyMap<SectionName, string>): Map<SectionName, string> {
  return new Map([...texts].filter(([, text]) => text.trim()));
}

/** Parsing costs far more than comparing: a text that was checked lately is not parsed again. */
function remembering(
  { sectionTexts }: Pick<Deps, "sectionTexts">,
): { check: Check; remember(checked: CheckedSection): void } {
  const known = new Map<string, Promise<CheckedSection>>();
  const keyOf = ({ name, text }: { name: SectionName; text: string }) => `${name}\n${text}`;
  return {
    check(section) {
      const key = keyOf(section);
      const checked = known.get(key) ?? sectionTexts.check(section);
      checked.catch(() => known.delete(key));
      known.delete(key);
      known.set(key, checked);
      const [oldest] = known.keys();
      if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest);
      return checked;
    },
    remember: (checked) => void known.set(keyOf(checked), Promise.resolve(checked)),
  };
}
