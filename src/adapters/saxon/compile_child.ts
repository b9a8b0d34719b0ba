// Compiles one stylesheet with the documented command line of xslt3: compile_child.ts <stylesheet> <output>.
import process from "node:process";
import SaxonJS from "saxon-js";
import { lockDown } from "./lock_down.ts";

const [, , stylesheet = "", output = ""] = process.argv;
lockDown(SaxonJS, { files: process.cwd() });
process.argv = [
  "node",
  "xslt3",
  `-xsl:${stylesheet}`,
  `-export:${output}`,
  "-nogo",
  "-relocate:on",
];
await import("xslt3");
