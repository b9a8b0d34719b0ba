import type { Deps } from "#src/deps.ts";
import type { SectionName } from "#src/definitions/sections.ts";
import { messageOf } from "#src/kernel/errors.ts";
import { newWaker } from "#src/kernel/waker.ts";
import type { CheckedSection, Configuration } from "#src/ports/configuration.ts";
import { assemble, type Assembled, assembleInTurns } from "./assemble.ts";
import { lineOf } from "./problems.ts";
import { readCurrentRevisions, readTexts } from "./store.ts";

/** Type of the live event by which a process tells the others that sections of the settings have changed. */
export const RELOADED = "config.reloaded";
/** How often changes of other processes are looked for when no announcement came. */
const POLL_MS = 30_000;
/** Sections that were checked and may be asked for again: those in force, those stored, those just written. */
const REMEMBERED = 60;

type Needs = Pick<Deps, "db" | "live" | "log" | "sectionTexts">;

/** What is in force, as this process knows it. Resolves when it is loaded. */
export async function openConfiguration(needs: Needs): Promise<Configuration> {
  const { live, log } = needs;
  const check = remembering(needs);
  let current = assemble(new Map(), 0);
  let reading: Promise<void> = Promise.resolve();
  const read = async () => {
    const next = await inForce(needs, { before: current, check });
    if (!next) return;
    for (const it of next.problems) log.error("configuration.load.failed", { reason: lineOf(it) });
    if (next.problems.length) return; // the last good one stays
    for (const it of next.broken) {
      log.warn("configuration.reference.broken", { reason: lineOf(it) });
    }
    current = next;
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

/** Undefined where nothing changed. */
async function inForce(
  { db }: Needs,
  { before, check }: { before: Assembled; check: Check },
): Promise<Assembled | undefined> {
  const active = new Map<SectionName, number>();
  for (const [name, heads] of await readCurrentRevisions(db)) {
    if (heads.active !== null) active.set(name, heads.active);
  }
  const revision = Math.max(0, ...active.values());
  const sections = await checkedAll(check, await readTexts(db, active));
  const { size } = before.sections;
  const isSame = revision === before.snapshot.revision && size === sections.size &&
    [...sections].every(([name, it]) => before.sections.get(name)?.tag === it.tag);
  return isSame ? undefined : await assembleInTurns(sections, revision);
}

/** An empty text is no section. */
export async function checkedAll(
  check: Check,
  texts: ReadonlyMap<SectionName, string>,
): Promise<Map<SectionName, CheckedSection>> {
  const there = [...texts].filter(([, text]) => text.trim());
  return new Map(
    await Promise.all(
      there.map(async ([name, text]) => [name, await check({ name, text })] as const),
    ),
  );
}

/** Parsing costs far more than comparing: a text that was checked lately is not parsed again. */
function remembering({ sectionTexts }: Pick<Deps, "sectionTexts">): Check {
  const known = new Map<string, Promise<CheckedSection>>();
  return (section) => {
    const key = `${section.name}\n${section.text}`;
    const checked = known.get(key) ?? sectionTexts.check(section);
    checked.catch(() => known.delete(key));
    known.delete(key);
    known.set(key, checked);
    const [oldest] = known.keys();
    if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest);
    return checked;
  };
}
