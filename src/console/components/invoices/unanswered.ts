/** Statuses of an invoice received that wait for the buyer: it came, is in hand, or was completed by its supplier. */
export const UNANSWERED: readonly string[] = ["10", "201", "202", "203", "204", "209"];
