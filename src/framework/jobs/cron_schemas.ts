import { z } from "@hono/zod-openapi";

const moment = () => z.iso.datetime();

export const CronQuery = z.object({
  expression: z.string().min(1).max(200).openapi({
    description: "Cron expression of five fields, or an alias such as `@daily`",
    example: "30 2 * * *",
  }),
  timezone: z.string().min(1).max(60).default("UTC").openapi({
    description: "IANA name of the time zone",
    example: "Europe/Paris",
  }),
  from: z.iso.datetime({ offset: true }).optional().openapi({
    description: "Time from which the next times are computed; default: now",
    example: "2027-03-27T00:00:00Z",
  }),
});
export const CronPreview = z.object({
  expression: z.string().openapi({
    description: "Cron expression",
    example: "30 2 * * *",
  }),
  timezone: z.string().openapi({
    description: "IANA name of the time zone",
    example: "Europe/Paris",
  }),
  next: z.array(
    z.object({
      at: z.string().openapi({
        description: "Time with the offset of the time zone",
        example: "2027-03-28T03:00:00+02:00",
      }),
      utc: moment().openapi({
        description: "Time in UTC",
        example: "2027-03-28T01:00:00.000Z",
      }),
      note: z.string().optional().openapi({
        description: "Note about a change of the clocks",
        example: "Clocks turn forward at 02:00",
      }),
    }).openapi("CronFire", { description: "Time of a schedule" }),
  ).openapi({ description: "Next times in their order" }),
}).openapi("CronPreview", { description: "Next times of a cron expression" });
