export { bytesOfItems } from "./bytes_of_items.ts";
export { documentOf, type Produced, transformPiece } from "./document_of.ts";
export { type ErpFault, faultIn, type PlacedPiece } from "./erp_fault.ts";
export { columnAt, encodingOfFile, erpPieceOf, keyIn } from "./erp_piece.ts";
export { isWholeInvoice } from "./sniff.ts";
export { keyOfUbl } from "./ubl_key.ts";
