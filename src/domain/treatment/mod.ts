export { chooseRecipient, DIRECTORY_SCHEME, electronicAddress, type Recipient } from "./address.ts";
export {
  closedRules,
  closedTreatments,
  type StatusContext,
  statusContext,
  treatmentRefusal,
} from "./allowed_status.ts";
export { type ChosenTreatment, decideTreatment } from "./decide.ts";
export { ourRole, type Role, ROLES, SELF_BILLED_TYPES } from "./role.ts";
export {
  businessProcess,
  declaredRule,
  differsFromPa,
  isDeliveredAtHome,
  isTreatmentChoice,
  REPORTS,
  type Treatment,
  TREATMENT_CHOICES,
  TREATMENT_SOURCES,
  type TreatmentChoice,
  type TreatmentCode,
  type TreatmentDetails,
  TREATMENTS,
} from "./treatment.ts";
