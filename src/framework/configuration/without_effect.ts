import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Assembled } from "./assemble.ts";

/** Returns a note about an ignored setting of earlier versions, if the sections contain one. */
export function noteWithoutEffect({ snapshot }: Pick<Assembled, "snapshot">): Sentence | undefined {
  const { connectors = {} } = snapshot.section("connectors") ?? {};
  const [name] =
    Object.entries(connectors).find(([, it]) => it.type === "http" && it.network?.allow_private) ??
      [];
  return name === undefined
    ? undefined
    : say`connectors.${name}.network.allow_private has no effect: the operator lists hosts of private networks in the variable PRIVATE_HOSTS`;
}
