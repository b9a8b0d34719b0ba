/** What is counted is counted in whole steps: there are no half invoices. */
export function wholeSteps(
  series: readonly { readonly values?: readonly (number | null)[] | undefined }[],
): { minInterval?: number } {
  const isCounted = series.every(({ values = [] }) =>
    values.every((it) => Number.isInteger(it ?? 0))
  );
  return isCounted ? { minInterval: 1 } : {};
}
