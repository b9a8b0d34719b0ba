import { z } from "@hono/zod-openapi";
import { STEPS } from "./checklist.ts";

const Count = (description: string) =>
  z.number().int().min(0).openapi({ description, example: 40 });

/** First steps with their states, and the state of the sample data. */
export const Checklist = z.object({
  steps: z.array(
    z.object({
      step: z.enum(STEPS).openapi({
        description:
          "`company`: identity and bank account, `pa`: accredited platform, `mail`: mail server, `first_file`: first invoice, `colleagues`: a second user",
        example: "company",
      }),
      state: z.enum(["done", "failing", "open"]).openapi({
        description: "`failing`: set up, but the last test or use failed",
        example: "done",
      }),
      detail: z.string().optional().openapi({
        description:
          "Reason of a failure, or what is missing although something is set up, in the caller's language",
        example: "You are using the trial PA: nothing reaches your customers",
      }),
    }).openapi("ChecklistStep", { description: "Step with its state" }),
  ).openapi({ description: "Steps in the order in which they are best done" }),
  samples: z.object({
    invoices: Count("Number of sample invoices in the installation"),
    mayLoad: z.boolean().openapi({
      description: "True while the installation has no invoices",
      example: true,
    }),
  }).openapi("SampleData", { description: "State of the sample data" }),
}).openapi("Checklist", { description: "First steps of a new installation" });

export const SamplesChanged = z.object({
  invoices: Count("Number of sample invoices that were loaded or removed"),
}).openapi("SampleDataChange", { description: "Result of loading or removing sample data" });
