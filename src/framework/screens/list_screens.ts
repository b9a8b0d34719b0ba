import { createLocaliser } from "#src/definitions/localiser.ts";
import type { SettingsReader } from "#src/ports/access.ts";
import type { Snapshot } from "#src/ports/configuration.ts";
import { codeOfScreen } from "./require_screen.ts";

/** The screens the reader may open, of one app or of all, in the order they are written in. */
export function listScreens(
  snapshot: Snapshot,
  { languages, may }: SettingsReader,
  { app: wanted }: { app?: string } = {},
) {
  const localiser = createLocaliser(snapshot, languages);
  const { screens = {} } = snapshot.section("screens") ?? {};
  const shown = Object.entries(screens)
    .filter(([app]) => wanted === undefined || app === wanted)
    .flatMap(([app, ofApp]) =>
      Object.entries(ofApp).filter(([screen]) => may(codeOfScreen({ app, screen })))
        .map(([id, { label, description }]) => ({
          app,
          id,
          label: localiser.text(label) ?? id,
          description: localiser.text(description),
        }))
    );
  return { language: localiser.language, screens: shown, total: shown.length };
}
