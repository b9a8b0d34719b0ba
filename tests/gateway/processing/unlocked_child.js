// A child without any lock of its own, in which a stylesheet has got at JavaScript: what the attack of a stylesheet could at
// best make of it. The stylesheet that says "leave" changes all that is answered from then on, and speaks unasked.
import { Socket } from "node:net";
import SaxonJS from "saxon-js";
import { serve } from "../../../src/adapters/children/serve.ts";

const held = {};
let left;

serve((job, { sef }) => {
  if (held.sef !== sef) Object.assign(held, { sef, stylesheet: JSON.parse(sef) });
  const { principalResult = "" } = SaxonJS.transform({
    stylesheetInternal: held.stylesheet,
    sourceText: job.source,
    destination: "serialized",
  }, "sync");
  const own = principalResult.includes("leave");
  const output = left?.forge(principalResult) ?? principalResult;
  if (own && left === undefined) leave(job.source, principalResult);
  return { output, messages: [] };
});

/** What the attacker's invoice says, in place of what every later one does. */
function leave(source, result) {
  const { buyer, number, unasked } = JSON.parse(/leave(\{.*\})/.exec(result)[1]);
  left = {
    forge: (output) =>
      number
        ? output.replace(/(<\?passerelle-key doc=")[^"]*/, `$1${number}`)
        : output.replaceAll(/(<cbc:RegistrationName>)[^<]*/g, `$1${buyer}`),
  };
  if (unasked) setInterval(() => new Socket({ fd: 3 }).write(`forged ${source.length}`), 5);
}
