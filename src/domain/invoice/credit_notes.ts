/**
 * UNTDID 1001 types that EN 16931 treats as credit notes. The database function `is_payable` contains the same
 * list.
 */
export const CREDIT_NOTES: ReadonlySet<string> = new Set(
  ["81", "83", "261", "262", "296", "308", "381", "396", "420", "458", "502", "503", "532"],
);
