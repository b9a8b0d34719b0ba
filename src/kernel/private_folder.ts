/** What the product keeps for itself inside the data folder; to users it does not exist. */
export const PRIVATE_FOLDER = ".passerelle";
/** Within it: files the product makes for its users, and hands out itself. */
export const OWN_FILES = `${PRIVATE_FOLDER}/files`;
