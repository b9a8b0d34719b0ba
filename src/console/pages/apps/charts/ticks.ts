/** Returns axis options with whole steps if all values are whole: there is no half invoice. */
export function wholeSteps(
  series: readonly { readonly values?: readonly (number | null)[] | undefined }[],
): { minInterval?: number } {
  const isCounted = series.every(({ values = [] }) =>
    values.every((it) => Number.isInteger(it ?? 0))
  );
  return isCounted ? { minInterval: 1 } : {};
}
