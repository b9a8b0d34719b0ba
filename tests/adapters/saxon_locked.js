// A child that evaluates any XPath in a SaxonJS that is locked down, as if nobody had looked at the stylesheet.
import SaxonJS from "saxon-js";
import { serve } from "../../src/adapters/children/serve.ts";
import { lockDown } from "../../src/adapters/saxon/lock_down.ts";

lockDown(SaxonJS, {});
serve(({ xpath }) => {
  globalThis.reached = undefined;
  globalThis.reach = () => globalThis.reached = true;
  try {
    const namespaceContext = {
      ixsl: "http://saxonica.com/ns/interactiveXSLT",
      js: "http://saxonica.com/ns/globalJS",
    };
    const value = SaxonJS.XPath.evaluate(xpath, null, { namespaceContext });
    return { said: String(JSON.stringify(value)), reached: globalThis.reached === true };
  } catch (error) {
    return { said: `refused: ${error.message}`, reached: globalThis.reached === true };
  }
});
