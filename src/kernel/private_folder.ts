/** What the product keeps for itself inside the data folder; to users it does not exist. */
export const PRIVATE_FOLDER = ".passerelle";
