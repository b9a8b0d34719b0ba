/** What the command line says. */
export const COMMANDS: Readonly<Record<string, string>> = {
  "--file is missing: the file to process": "--file manque : le fichier à traiter",
  "--head is {1}: expected 64 hexadecimal digits":
    "--head est {1} : 64 chiffres hexadécimaux sont attendus",
  "--job is missing: the job whose files are fetched":
    "--job manque : le travail dont les fichiers sont cherchés",
  "--limit {1} is not NAME=NUMBER": "--limit {1} n'est pas NOM=NOMBRE",
  "--mode {1} is unknown; there are {2}": "--mode {1} est inconnu ; il y a {2}",
  "--template is missing: the document template of the report":
    "--template manque : le modèle de document de l'état",
  "--template is missing: whose input folder is processed":
    "--template manque : celui dont le dossier d'entrée est traité",
  "Expected: webhook register URL": "Attendu : webhook register URL",
  "Stop the product at {1} first: it owns the data folder":
    "Arrêtez d'abord le produit à {1} : le dossier de données est à lui",
  "The folder of documents {1} {2}": "Le dossier de documents {1} {2}",
  "The product must be running to be called: start it first":
    "Le produit doit tourner pour être appelé : démarrez-le d'abord",
  "The product runs at {1} and owns the data folder: set PASSERELLE_TOKEN to an access token, or stop it first":
    "Le produit tourne à {1} et le dossier de données est à lui : donnez un jeton d'accès dans PASSERELLE_TOKEN, ou arrêtez-le d'abord",
  "There is no archive to compare over: name a folder of documents, or set DATA_DIR or DATABASE_URL":
    "Il n'y a pas d'archive sur laquelle comparer : nommez un dossier de documents, ou définissez DATA_DIR ou DATABASE_URL",
  "usage: conformance DIR, a folder with french/ and cen/":
    "usage : conformance DIR, un dossier avec french/ et cen/",
  "usage: migrate [up | down VERSION]": "usage : migrate [up | down VERSION]",
  "{1} answered {2}": "{1} a répondu {2}",
  "{1} cannot be read: {2}": "{1} est illisible : {2}",
  "{1} does not exist": "{1} n'existe pas",
  "{1} has {2} bytes": "{1} a {2} octets",
  "{1} is installed in the product that runs at {2}: validate there (POST /api/validate), or stop it first":
    "{1} est installé dans le produit qui tourne à {2} : validez là (POST /api/validate), ou arrêtez-le d'abord",
  '{1} is not installed in the product at {2}: "rules install {3} --inactive" lets it be compared there':
    "{1} n'est pas installé dans le produit à {2} : « rules install {3} --inactive » permet de le comparer là",
  "{1} {2} is installed in the product that runs at {3}: stop it to export this version":
    "{1} {2} est installé dans le produit qui tourne à {3} : arrêtez-le pour exporter cette version",
};
