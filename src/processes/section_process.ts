import process from "node:process";
import { serve } from "#src/adapters/children/serve.ts";
import { yamlTexts } from "#src/adapters/yaml/mod.ts";
import type { SectionJob } from "#src/compose/texts_beside.ts";
import { packSection, textsHere } from "#src/framework/configuration/mod.ts";

// The YAML library reads environment variables at each parse, and this process may not read the environment.
Object.defineProperty(process, "env", { value: {} });

/** Reads and writes large texts of sections. */
const texts = textsHere(yamlTexts);

serve(async (job: SectionJob) => {
  switch (job.verb) {
    case "check":
      return packSection(await texts.check(job.section));
    case "value":
      return { value: await texts.value(job.text) };
    case "write":
      return await texts.write(job.text, JSON.parse(job.json));
    case "splice":
      return await texts.splice(job.text, job.edits);
  }
});
