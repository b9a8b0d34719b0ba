/** Returns true for a number whose noun is singular in French. */
export function isSingular(count: string): boolean {
  return count === "0" || count === "1";
}
