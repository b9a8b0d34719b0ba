import { useState } from "react";
import { useSearchParams } from "wouter";
import type { components } from "../../../api/schema.d.ts";
import { pageOf } from "../../../components/page_of.ts";

export type Screen = components["schemas"]["Screen"];
export type Row = Readonly<Record<string, unknown>>;
type Changes = Readonly<Record<string, string | undefined>>;

/** What of a screen is shown, as an address holds it, and how it is changed. */
export interface View {
  readonly params: URLSearchParams;
  readonly change: (values: Changes) => void;
}

/** Of a page: it can be kept and sent to somebody. */
export function useAddressView(): View {
  const [params, setParams] = useSearchParams();
  return { params, change: (values) => setParams((before) => changed(before, values)) };
}

/** Of a grid inside of something else. */
export function useOwnView(): View {
  const [params, setParams] = useState(() => new URLSearchParams());
  return { params, change: (values) => setParams((before) => changed(before, values)) };
}

/** Whatever else than a page or a record changes begins at the first page. */
function changed(before: URLSearchParams, values: Changes): URLSearchParams {
  const after = new URLSearchParams(before);
  const isPlace = Object.keys(values).every((it) => it === "page" || it === "record");
  if (!isPlace) after.delete("page");
  for (const [name, value] of Object.entries(values)) {
    if (value) after.set(name, value);
    else after.delete(name);
  }
  return after;
}

/** `p.status` is a parameter of the screen's query, `f.amount.between` a filter of a column. */
export const paramName = (param: string): string => `p.${param}`;
export const filterName = (field: string, op: string): string => `f.${field}.${op}`;
export const isFilter = (name: string): boolean => /^[pf]\./.test(name);

/** Whether a filter has several values. */
export const isList = (type = "", op = "="): boolean =>
  op === "in" || op === "not_in" || type.startsWith("array<");

/** A value of the address: written by hand it may be there several times, of which one that is no list has the first. */
export const kept = (params: URLSearchParams, name: string, isList: boolean): string =>
  (isList ? params.getAll(name).join(",") : params.get(name)) ?? "";

const PAGE = 50;

export interface Asked {
  readonly params: Readonly<Record<string, string | readonly string[]>>;
  /** As `q` of a query; undefined where nothing is filtered. */
  readonly filters: readonly object[] | undefined;
  /** Columns, `-` for descending; undefined: that of the query. */
  readonly sort: readonly string[] | undefined;
  readonly page: number;
  readonly size: number;
  /** Fields in their order. */
  readonly columns: readonly string[];
}

/** What the view asks of the screen's query. `given` stands beside it: parameters of what the grid is inside of. */
export function askedOf({ grid }: Screen, { params }: View, given: Asked["params"] = {}): Asked {
  const names = [...new Set(params.keys())];
  const asked = names.flatMap((name) => {
    const [, param] = /^p\.(.+)$/.exec(name) ?? [];
    if (param === undefined) return [];
    const type = grid.filters.find((it) => it.param === param)?.type ?? "";
    const value = kept(params, name, isList(type));
    return value === "" ? [] : [[param, isList(type) ? value.split(",") : value] as const];
  });
  const filters = names.flatMap((name) => {
    const [, field, op] = /^f\.(.+)\.([^.]+)$/.exec(name) ?? [];
    const value = kept(params, name, isList("", op));
    return field === undefined || op === undefined || value === ""
      ? []
      : conditions(field, op, value);
  });
  // An address written by hand may name what the grid does not have: its usual order and columns are shown then.
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
    page: pageOf(params),
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

/** The key of a record, as it stands in the address; undefined where the screen names none. */
export function keyOf({ key }: Screen, row: Row): Record<string, string> | undefined {
  if (!key || key.some((it) => row[it] === undefined || row[it] === null)) return undefined;
  return Object.fromEntries(key.map((it) => [it, String(row[it])]));
}

/** What a person calls the record. */
export function nameOf(screen: Screen, row: Row): string {
  return Object.values(keyOf(screen, row) ?? row).map(String).join(" · ");
}

/** `{field}` in a text is what the record holds there. */
export function filled(text: string, values: Row): string {
  return text.replace(
    /\{([A-Za-z_]\w{0,62})\}/g,
    (whole, name: string) => Object.hasOwn(values, name) ? String(values[name] ?? "") : whole,
  );
}

/** Parameters of an action or of a place to go to: a column of the record, a text with places, or a value. */
export function argumentsOf(
  params: Readonly<Record<string, unknown>> | undefined,
  values: Row,
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

function filledWhole(text: string, values: Row): unknown {
  const [, name] = /^\{([A-Za-z_]\w{0,62})\}$/.exec(text) ?? [];
  return name === undefined ? filled(text, values) : values[name];
}

/** A screen that opens with these parameters. */
export function screenAddress(
  screen: string,
  params: Readonly<Record<string, unknown>> | undefined,
  values: Row,
): string {
  const query = new URLSearchParams(
    Object.entries(argumentsOf(params, values)).map(([name, it]) => [paramName(name), String(it)]),
  ).toString();
  return `/apps/screen/${screen}${query && `?${query}`}`;
}

export interface When {
  readonly field: string;
  readonly op: string;
  readonly value?: unknown;
}

/** Whether a record fulfils a condition of the definition. */
export function holds({ field, op, value }: When, values: Row): boolean {
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
