import { useState } from "react";
import { useSearchParams } from "wouter";
import type { components } from "../../../api/schema.d.ts";
import { readPage } from "../../../components/read_page.ts";

export type Screen = components["schemas"]["Screen"];
export type ScreenRow = Readonly<Record<string, unknown>>;
type Changes = Readonly<Record<string, string | undefined>>;

/** State of a screen in the format of an address, with functions to change it. */
export interface ScreenView {
  readonly params: URLSearchParams;
  readonly change: (values: Changes) => void;
}

/** Holds the view of a page in the address, so that it can be bookmarked and shared. */
export function useAddressView(): ScreenView {
  const [params, setParams] = useSearchParams();
  return { params, change: (values) => setParams((before) => applyChanges(before, values)) };
}

/** Holds the view of a nested grid; `size` is the number of rows on its pages. */
export function useOwnView(size?: number): ScreenView {
  const [params, setParams] = useState(() =>
    new URLSearchParams(size === undefined ? {} : { size: String(size) })
  );
  return { params, change: (values) => setParams((before) => applyChanges(before, values)) };
}

/** Applies changes. All except those of page and record return to the first page. */
function applyChanges(before: URLSearchParams, values: Changes): URLSearchParams {
  const after = new URLSearchParams(before);
  const isPlace = Object.keys(values).every((it) => it === "page" || it === "record");
  if (!isPlace) after.delete("page");
  for (const [name, value] of Object.entries(values)) {
    if (value) after.set(name, value);
    else after.delete(name);
  }
  return after;
}

/**
 * Returns the parameter name: `p.status` is a parameter of the screen's query, `f.amount.between` a filter of
 * a column.
 */
export const paramName = (param: string): string => `p.${param}`;
export const filterName = (field: string, op: string): string => `f.${field}.${op}`;
export const isFilter = (name: string): boolean => /^[pf]\./.test(name);

/** Returns true if a filter takes several values. */
export const isList = (type = "", op = "="): boolean =>
  op === "in" || op === "not_in" || type.startsWith("array<");

/**
 * Returns a value of the address. A hand-written address may repeat it; a filter with a single value uses the
 * first.
 */
export const readValue = (params: URLSearchParams, name: string, isList: boolean): string =>
  (isList ? params.getAll(name).join(",") : params.get(name)) ?? "";

const PAGE = 50;

export interface ScreenQuery {
  readonly params: Readonly<Record<string, string | readonly string[]>>;
  /** Filters in the format of `q`; undefined without filters. */
  readonly filters: readonly object[] | undefined;
  /** Columns to sort by, `-` for descending; undefined for the query's own order. */
  readonly sort: readonly string[] | undefined;
  readonly page: number;
  readonly size: number;
  /** Visible columns in order. */
  readonly columns: readonly string[];
}

/** Returns the arguments of the screen's query. `given` adds parameters set by the parent. */
export function buildQuery(
  { grid }: Screen,
  { params }: ScreenView,
  given: ScreenQuery["params"] = {},
): ScreenQuery {
  const names = [...new Set(params.keys())];
  const asked = names.flatMap((name) => {
    const [, param] = /^p\.(.+)$/.exec(name) ?? [];
    if (param === undefined) return [];
    const type = grid.filters.find((it) => it.param === param)?.type ?? "";
    const value = readValue(params, name, isList(type));
    return value === "" ? [] : [[param, isList(type) ? value.split(",") : value] as const];
  });
  const filters = names.flatMap((name) => {
    const [, field, op] = /^f\.(.+)\.([^.]+)$/.exec(name) ?? [];
    const value = readValue(params, name, isList("", op));
    return field === undefined || op === undefined || value === ""
      ? []
      : conditions(field, op, value);
  });
  // A hand-written address may name unknown columns; the defaults apply then.
  const order = params.get("sort")?.split(",").filter((it) =>
    grid.columns.some(({ field, sortable }) => sortable && it.replace(/^-/, "") === field)
  );
  const sort = order?.length ? order : grid.sort;
  const size = Math.trunc(Number(params.get("size"))) || grid.page_size || PAGE;
  const there = grid.columns.filter((it) => !it.missing);
  const chosen = params.get("columns")?.split(",").filter((it, at, all) =>
    there.some(({ field }) => field === it) && all.indexOf(it) === at
  );
  return {
    params: { ...given, ...Object.fromEntries(asked) },
    filters: filters.length ? filters : undefined,
    sort: sort.length ? sort : undefined,
    page: readPage(params),
    size: Math.min(1_000, Math.max(1, size)),
    columns: chosen?.length ? chosen : there.filter((it) => !it.hidden).map(({ field }) => field),
  };
}

function conditions(field: string, op: string, value: string): object[] {
  const one = (op: string, value: unknown) => ({ [field]: { [op]: value } });
  if (isList("", op)) return [one(op, value.split(","))];
  if (op === "is_null") return [one(op, value === "true")];
  if (op !== "between") return [one(op, value)];
  const [from = "", to = ""] = value.split("..");
  return [...from ? [one(">=", from)] : [], ...to ? [one("<=", to)] : []];
}

/** Returns the key of a record for the address; undefined if the screen defines none. */
export function findKey({ key }: Screen, row: ScreenRow): Record<string, string> | undefined {
  if (!key || key.some((it) => row[it] === undefined || row[it] === null)) return undefined;
  return Object.fromEntries(key.map((it) => [it, String(row[it])]));
}

/** Returns a readable name of a record. */
export function formatName(screen: Screen, row: ScreenRow): string {
  return Object.values(findKey(screen, row) ?? row).map(String).join(" · ");
}

/** Replaces `{field}` in a text by the record's value. */
export function fillText(text: string, values: ScreenRow): string {
  return text.replace(
    /\{([A-Za-z_]\w{0,62})\}/g,
    (whole, name: string) => Object.hasOwn(values, name) ? String(values[name] ?? "") : whole,
  );
}

/**
 * Returns the parameters of an action or a target: a column of the record, a text with placeholders, or a
 * value.
 */
export function fillArguments(
  params: Readonly<Record<string, unknown>> | undefined,
  values: ScreenRow,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(params ?? {}).flatMap(([name, given]) => {
      const value = typeof given === "string"
        ? Object.hasOwn(values, given) ? values[given] : filledWhole(given, values)
        : given;
      return value === undefined || value === null ? [] : [[name, value]];
    }),
  );
}

function filledWhole(text: string, values: ScreenRow): unknown {
  const [, name] = /^\{([A-Za-z_]\w{0,62})\}$/.exec(text) ?? [];
  return name === undefined ? fillText(text, values) : values[name];
}

/** Returns the address of a screen with parameters. */
export function screenAddress(
  screen: string,
  params: Readonly<Record<string, unknown>> | undefined,
  values: ScreenRow,
): string {
  const query = new URLSearchParams(
    Object.entries(fillArguments(params, values)).map((
      [name, it],
    ) => [paramName(name), String(it)]),
  ).toString();
  return `/apps/screen/${screen}${query && `?${query}`}`;
}

export interface When {
  readonly field: string;
  readonly op: string;
  readonly value?: unknown;
}

/** Returns true if a record fulfils a condition of the definition. */
export function holds({ field, op, value }: When, values: ScreenRow): boolean {
  const own = values[field];
  const list = (Array.isArray(value) ? value : [value]).map(String);
  const text = String(own ?? "");
  const order = () => {
    const [a, b] = [Number(own), Number(value)];
    const both = Number.isFinite(a) && Number.isFinite(b) && text !== "";
    return both ? a - b : text < String(value) ? -1 : text > String(value) ? 1 : 0;
  };
  const low = text.toLowerCase();
  const part = String(value ?? "").toLowerCase();
  switch (op) {
    case "=":
      return text === String(value ?? "");
    case "!=":
      return text !== String(value ?? "");
    case "<":
      return order() < 0;
    case "<=":
      return order() <= 0;
    case ">":
      return order() > 0;
    case ">=":
      return order() >= 0;
    case "between":
      return holds({ field, op: ">=", value: list[0] }, values) &&
        holds({ field, op: "<=", value: list[1] }, values);
    case "in":
      return list.includes(text);
    case "not_in":
      return !list.includes(text);
    case "contains":
      return low.includes(part);
    case "starts_with":
      return low.startsWith(part);
    case "ends_with":
      return low.endsWith(part);
    case "is_null":
      return (own === null || own === undefined) === (value !== false);
    default:
      return false;
  }
}
