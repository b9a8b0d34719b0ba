import type { Yaml } from "#src/ports/yaml.ts";
import { readYaml } from "./read.ts";
import { spliceYaml } from "./splice.ts";
import { writeYaml } from "./write.ts";

/** YAML by the library `yaml`. */
export const yamlTexts: Yaml = { read: readYaml, write: writeYaml, splice: spliceYaml };
