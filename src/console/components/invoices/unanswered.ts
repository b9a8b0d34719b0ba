/**
 * Statuses of received invoices that wait for the buyer: received, in process, or completed by the supplier.
 */
export const UNANSWERED: readonly string[] = ["10", "201", "202", "203", "204", "209"];
