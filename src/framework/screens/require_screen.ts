import type { ScreenDefinition } from "#src/definitions/screens.ts";
import { findQuery, type FoundQuery } from "#src/framework/connectors/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Snapshot } from "#src/ports/configuration.ts";

export interface ScreenName {
  readonly app: string;
  readonly screen: string;
}

/** A screen of the settings, as it was when a call began. */
export interface FoundScreen extends ScreenName {
  readonly snapshot: Snapshot;
  readonly definition: ScreenDefinition;
  /** The query of its grid. */
  readonly source: FoundQuery;
}

/** Throws AppError `not_found`, and `misconfigured` for a screen whose query is not there or writes. */
export function requireScreen(snapshot: Snapshot, { app, screen }: ScreenName): FoundScreen {
  const { screens = {} } = snapshot.section("screens") ?? {};
  const ofApp = Object.hasOwn(screens, app) ? screens[app] : undefined;
  const definition = ofApp && Object.hasOwn(ofApp, screen) ? ofApp[screen] : undefined;
  if (!definition) throw notFound("Screen", `${app}/${screen}`.slice(0, 130));
  const { connector, query } = definition.source;
  const source = findQuery(snapshot, { connector, query });
  if (source && !source.isWrite) return { snapshot, app, screen, definition, source };
  throw new AppError(
    "misconfigured",
    say`The screen ${`${app}/${screen}`} reads the query ${`${connector}.${query}`}, which is not there or writes`,
  );
}

/** The permission to open a screen. */
export function codeOfScreen({ app, screen }: ScreenName): string {
  return `screen:${app}:${screen}`;
}

/** `orders` within an app, or `sales/orders`. */
export function screenNamed(text: string, app: string): ScreenName {
  const [first = "", second] = text.split("/");
  return second === undefined ? { app, screen: first } : { app: first, screen: second };
}
