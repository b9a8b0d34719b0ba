export { bytesOfItems } from "./bytes_of_items.ts";
export { type Produced, readDocument, transformPiece } from "./read_document.ts";
export { type ErpFault, faultIn } from "./erp_fault.ts";
export { addErpPositions } from "./erp_field.ts";
export { toFilePosition as placedInFile } from "./piece_place.ts";
export { BadByteError, encodingOfFile, keyIn, readPlacedPiece } from "./erp_piece.ts";
export { isWholeInvoice } from "./sniff.ts";
export { originalsWithoutDate, readNumberAndDate, withIssueDates } from "./original_date.ts";
export { keyOfUbl } from "./ubl_key.ts";
