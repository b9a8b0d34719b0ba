/** Error envelopes: each API family keeps the shape that its clients know. */
export const ENVELOPE = {
  invoicing: (message: string) => ({ success: false as const, error: message }),
  framework: (message: string) => ({ detail: message }),
  database: (message: string) => ({ status: "failed" as const, message }),
};
export type Family = keyof typeof ENVELOPE;
