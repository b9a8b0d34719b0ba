import process from "node:process";
import { serve } from "#src/adapters/children/serve.js";
import { yamlTexts } from "#src/adapters/yaml/mod.ts";
import type { SectionJob } from "#src/compose/texts_beside.ts";
import { packed, textsHere } from "#src/features/configuration/mod.ts";

// The YAML library asks for variables of its own whenever it parses, and this process has none.
Object.defineProperty(process, "env", { value: {} });

/** Reads and writes large texts of sections. */
const texts = textsHere(yamlTexts);

serve(async (job: SectionJob) => {
  switch (job.verb) {
    case "check":
      return packed(await texts.check(job.section));
    case "value":
      return { value: await texts.value(job.text) };
    case "write":
      return await texts.write(job.text, job.value);
    case "splice":
      return await texts.splice(job.text, job.edits);
  }
});
