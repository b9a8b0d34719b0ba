import { serve } from "#src/adapters/children/serve.ts";
import type { PaintJob } from "#src/adapters/echarts/isolated.ts";
import { paintPng, paintSvg } from "#src/adapters/echarts/paint.ts";

/** Draws charts. */
serve(({ form, plan }: PaintJob) => form === "svg" ? paintSvg(plan) : paintPng(plan));
