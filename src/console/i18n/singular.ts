/** Returns true for a number whose noun is singular in French: below 2, also with decimals. */
export function isSingular(count: string): boolean {
  return /^[01](?:,\d+)?$/.test(count);
}
