import type { PdfJob } from "#src/adapters/pdf/isolated.ts";
import { serve } from "#src/adapters/children/serve.ts";
import { createInvoicePdf } from "#src/adapters/pdf/mod.ts";

/** Renders invoices as PDF. */
const pdf = createInvoicePdf();

serve(({ form, source, options }: PdfJob) => pdf[form](source, options));
