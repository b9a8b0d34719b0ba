/** UNTDID 1001: the types EN 16931 takes for a credit note. The function `is_payable` of the database knows the same. */
export const CREDIT_NOTES: ReadonlySet<string> = new Set(
  ["81", "83", "261", "262", "296", "308", "381", "396", "420", "458", "502", "503", "532"],
);
