/** Profile of a flow in the terms of AFNOR XP Z12-013. */
type FlowProfile = "Basic" | "CIUS" | "Extended-CTC-FR";

const EN16931 = "urn:cen.eu:en16931:2017";

const PROFILES: ReadonlyMap<string, FlowProfile> = new Map([
  ["urn:factur-x.eu:1p0:basic", "Basic"],
  [`${EN16931}#compliant#urn:factur-x.eu:1p0:basic`, "Basic"],
  [EN16931, "CIUS"],
  [`${EN16931}#compliant#urn.cpro.gouv.fr:1p0:en16931-ctc-fr`, "CIUS"],
  [`${EN16931}#conformant#urn.cpro.gouv.fr:1p0:extended-ctc-fr`, "Extended-CTC-FR"],
]);

/** Returns the profile of a specification identifier (BT-24); undefined: name no profile to the PA. */
export function findFlowProfile(customizationId: string | undefined): FlowProfile | undefined {
  return PROFILES.get(customizationId?.trim() ?? "");
}
