/** Private folder of the product inside the data folder; users never see it. */
export const PRIVATE_FOLDER = ".passerelle";
/** Subfolder of files that the product makes and serves to its users. */
export const OWN_FILES = `${PRIVATE_FOLDER}/files`;
