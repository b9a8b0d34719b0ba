import { serve } from "#src/adapters/children/serve.ts";
import { embeddedInvoice } from "#src/adapters/pdf/embedded_invoice.ts";

serve((job: { pdf: Uint8Array }) => embeddedInvoice(job.pdf));
