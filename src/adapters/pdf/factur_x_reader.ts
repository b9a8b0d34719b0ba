import { z } from "zod";
import { openChildren } from "#src/adapters/children/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { ChildDied } from "#src/ports/children.ts";
import { CONTAINER_RULES, type FacturXReader } from "#src/ports/factur_x.ts";
import type { Log } from "#src/ports/log.ts";

const Answer = z.object({
  xml: z.instanceof(Uint8Array),
  name: z.string(),
  relationship: z.string().optional(),
  profile: z.string().optional(),
  faults: z.array(z.object({ rule: z.enum(CONTAINER_RULES), value: z.string() })),
});

/** Opens PDFs in child processes, started when the first one comes. */
export function createFacturXReader(
  { log, environment }: {
    readonly log: Log;
    readonly environment: Readonly<Record<string, string>>;
  },
): FacturXReader {
  const entry = new URL("../../processes/factur_x_process.ts", import.meta.url);
  const children = openChildren({
    program: { name: "Factur-X", entry, memory: 256, environment },
    log,
    busy: 2,
  });
  return {
    async open(pdf, { signal } = {}) {
      try {
        return await children.run({
          job: { pdf },
          deadlineMs: 20_000,
          signal,
          read: (value) => {
            const { xml, name, relationship, profile, faults } = Answer.parse(value);
            return { xml, name, relationship, profile, faults };
          },
        });
      } catch (error) {
        if (!(error instanceof ChildDied) || !OWN_FAULT.has(error.death.cause)) throw error;
        throw new AppError(
          "refused",
          say`The PDF cannot be opened within its limits: ${error.death.how}`,
        );
      }
    },
    close: () => children.close(),
  };
}

/** Deaths caused by the PDF and not by the machine. */
const OWN_FAULT: ReadonlySet<string> = new Set(["crash", "memory", "deadline"]);
