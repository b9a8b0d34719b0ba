/** Formats milliseconds as hours, minutes and seconds: `12 min 39 s`. */
export function formatMs(ms: number): string {
  const all = Math.round(ms / 1000);
  const parts: readonly (readonly [count: number, unit: string])[] = [
    [Math.floor(all / 3600), "h"],
    [Math.floor(all / 60) % 60, "min"],
    [all % 60, "s"],
  ];
  return parts.filter(([count]) => count > 0).map((it) => it.join(" ")).join(" ");
}
