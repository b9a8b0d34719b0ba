import { z } from "zod";
import { say } from "#src/kernel/i18n/sentence.ts";
import { addMark } from "./marks.ts";
import {
  complain,
  createNameMap,
  Duration,
  Name,
  object,
  oneOf,
  refers,
  Text,
  Version,
} from "./words.ts";

const Target = oneOf(
  object({
    screen: refers("screen").optional(),
    dashboard: refers("dashboard").optional(),
    chart: refers("chart").optional(),
    url: z.string().regex(/^(https?:\/\/|\/(?![/\\]))\S*$/).max(2_000).optional(),
    new_tab: z.boolean().optional(),
  }),
  ["screen", "dashboard", "chart", "url"],
);

const LEAF = {
  id: addMark(Name.clone(), { defines: "menu" }),
  label: Text,
  icon: z.string().max(60).optional(),
  target: Target,
  badge: object({
    connector: refers("connector"),
    query: refers("query"),
    refresh: Duration.optional(),
  }).optional(),
  visible: object({ licence: z.string().max(60) }).optional(),
};
const { target: _target, badge: _badge, ...FOLDER } = LEAF;

export type MenuItem =
  | { readonly separator: true }
  | z.infer<typeof Leaf>
  | Folder;
const Leaf = object(LEAF);
export interface Folder {
  readonly id: string;
  readonly label: z.infer<typeof Text>;
  readonly icon?: string | undefined;
  readonly visible?: { readonly licence: string } | undefined;
  readonly items: readonly MenuItem[];
}

/** A folder has items, a leaf a target, a separator nothing. */
const Item: z.ZodType<MenuItem> = z.lazy(() =>
  oneOf(
    object({
      ...FOLDER,
      id: LEAF.id.optional(),
      label: Text.optional(),
      target: Target.optional(),
      badge: LEAF.badge,
      items: z.array(Item).max(200).optional(),
      separator: z.literal(true).optional(),
    }),
    ["target", "items", "separator"],
  ).superRefine((value, context) => {
    const item = value as Record<string, unknown>;
    if (item["separator"]) return;
    for (const key of ["id", "label"]) {
      if (item[key] === undefined) {
        complain(context, { path: [key], sentence: say`${key} is missing` });
      }
    }
  }) as unknown as z.ZodType<MenuItem>
);

/** The menu of each app, folders inside. */
export const Menus = object({
  version: Version,
  apps: createNameMap(
    "app",
    object({
      label: Text,
      icon: z.string().max(60).optional(),
      order: z.number().optional(),
      items: z.array(Item).max(200),
    }),
  ),
});
