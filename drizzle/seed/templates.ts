import { COMPANY_TEMPLATE, type Template } from "#src/domain/template/template.ts";

/** Returns the templates of a first start. Existing templates are not changed. */
export function firstTemplates({ sandbox }: { sandbox: boolean }): readonly Template[] {
  const url = sandbox ? "sandbox:" : "";
  return [
    { name: "global", type: "system", properties: {} },
    { name: "e-invoicing", type: "system", properties: { URL: url, schema: "" } },
    { name: "e-directory", type: "system", properties: { URL: url } },
    { name: COMPANY_TEMPLATE, type: "company", properties: {} },
    {
      name: "R42565",
      type: "document",
      properties: {
        transform: "%APP_HOME%/R42565.xsl",
        element: "Invoice_Header_S11",
        inputDir: "input",
        submit: "Y",
        language: "fr",
        direction: "issued",
      },
    },
  ];
}
