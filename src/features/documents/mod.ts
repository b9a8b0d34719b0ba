export { bytesOfItems } from "./bytes_of_items.ts";
export { documentOf, type Produced, transformPiece } from "./document_of.ts";
export { type ErpFault, faultIn } from "./erp_fault.ts";
export { placedInErp } from "./erp_field.ts";
export { encodingOfFile, keyIn, placedPieceOf } from "./erp_piece.ts";
export { isWholeInvoice } from "./sniff.ts";
export { keyOfUbl } from "./ubl_key.ts";
