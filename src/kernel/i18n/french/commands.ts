/** Sentences of the command line. */
export const COMMANDS: Readonly<Record<string, string>> = {
  // What there is
  "--lang fr|en chooses the language, otherwise LANG.":
    "--lang fr|en choisit la langue, sinon LANG.",
  "Commands:": "Commandes :",
  "There is no command {1}. Commands:": "Il n'existe pas de commande {1}. Commandes :",
  "There is no command rules {1}; {2}": "Il n'existe pas de commande rules {1} ; {2}",
  "brings the database's schema up to date, or back":
    "met à jour le schéma de la base de données, ou revient en arrière",
  "checks an exported evidence file; its end can only be checked with a separately stored head":
    "contrôle un fichier de preuves exporté ; sa fin ne se contrôle qu'avec la tête conservée à part",
  "checks invoices; nothing is stored or sent":
    "contrôle des factures ; rien n'est enregistré ni envoyé",
  "compares the shipped rules with the reference verdicts in a folder with french/ and cen/":
    "compare les règles livrées aux verdicts de référence d'un dossier avec french/ et cen/",
  "downloads and processes new files of every template with a report, then polls the PA":
    "télécharge et traite les nouveaux fichiers de chaque modèle lié à un rapport, puis interroge la PA",
  "downloads the files of one job and processes them":
    "télécharge les fichiers d'un travail et les traite",
  "ends that session": "termine cette session",
  "fetches the latest lifecycle events, those listed late too":
    "cherche les derniers événements du cycle de vie, aussi ceux listés tard",
  "has the PA call this product when something changes":
    "demande à la PA d'appeler ce produit quand quelque chose change",
  "processes a file; --treatment sets that of all its invoices; --preview only lists the outcomes; --abort ends a run":
    "traite un fichier ; --treatment fixe le traitement de ses factures ; --preview liste seulement les résultats ; --abort termine un traitement",
  "Invoices {1}: {2}, {3} {4}": "Factures {1} : {2}, {3} {4}",
  "processes every file that waits in the template's input folder":
    "traite chaque fichier qui attend dans le dossier d'entrée du modèle",
  "polls the PA for invoices without an answer":
    "interroge la PA sur les factures restées sans réponse",
  "signs a licence": "signe une licence",
  "signs in at a product (default: the local one) for later commands; PASSERELLE_TOKEN takes precedence":
    "ouvre une session sur un produit (par défaut, le produit local) pour les commandes suivantes ; PASSERELLE_TOKEN est prioritaire",
  "the sections of the settings as files": "les sections du paramétrage en fichiers",
  "manages the rule sets; without a verb it prints the usage":
    "gère les jeux de règles ; sans verbe, affiche l'aide",
  "usage: {1}": "usage : {1}",
  "users and roles": "les utilisateurs et les rôles",

  // Starting
  "Authentication is off: everybody on this machine may do everything":
    "L'authentification est désactivée : toute personne sur cette machine peut tout faire",
  "Data folder: {1}": "Dossier de données : {1}",
  "First start: sign in as {1} with the password {2}":
    "Premier démarrage : ouvrez une session en tant que {1} avec le mot de passe {2}",
  "It is not shown again; change it in the console, or with POST /auth/password.":
    "Il n'est affiché que cette fois ; changez-le dans la console, ou par POST /auth/password.",
  "Passerelle listens on {1} (API: {2}/docs)": "Passerelle écoute sur {1} (API : {2}/docs)",
  "Sandbox PA: {1}": "PA bac à sable : {1}",

  // Arguments
  "There is no option {1}": "L'option {1} n'existe pas",
  "There is no option {1}; did you mean {2}?":
    "L'option {1} n'existe pas ; vouliez-vous dire {2} ?",
  "{1} is one argument too many": "{1} est un argument de trop",
  "{1} needs a value": "{1} demande une valeur",
  "{1} takes no value": "{1} ne prend pas de valeur",
  "--file is missing: the file to process": "--file manque : le fichier à traiter",
  "--head is {1}: expected 64 hexadecimal digits":
    "--head est {1} : 64 chiffres hexadécimaux sont attendus",
  "--job is missing: the job whose files are fetched":
    "--job manque : le travail dont les fichiers sont cherchés",
  "--limit {1} is not NAME=NUMBER": "--limit {1} n'est pas NOM=NOMBRE",
  "--treatment {1} is unknown: use one of {2}":
    "--treatment {1} est inconnu : utilisez l'un de {2}",
  "--mode {1} is unknown; there are {2}": "--mode {1} est inconnu ; il y a {2}",
  "--jobs is a number from 1 to {1}, not {2}": "--jobs est un nombre de 1 à {1}, et non {2}",
  "--rules names a rule set that has no name": "--rules nomme un jeu de règles sans nom",
  "--template is missing: the document template of the report":
    "--template manque : le modèle de document du rapport",
  "--template is missing: whose input folder is processed":
    "--template manque : celui dont le dossier d'entrée est traité",
  "Expected: webhook register URL": "Attendu : webhook register URL",
  "The folder of documents {1} does not exist": "Le dossier de documents {1} n'existe pas",
  "The folder of documents {1} is not a folder": "Le dossier de documents {1} n'est pas un dossier",
  "There is no archive to compare over: name a folder of documents, or set DATA_DIR or DATABASE_URL":
    "Il n'y a pas d'archive sur laquelle comparer : nommez un dossier de documents, ou définissez DATA_DIR ou DATABASE_URL",

  // Signing in, and the product that runs
  "Given up": "Abandonné",
  "No product runs on this data folder: name its address":
    "Aucun produit ne tourne sur ce dossier de données : nommez son adresse",
  "Nobody is signed in at {1}": "Aucune session n'est ouverte à {1}",
  "Password of {1} at {2}": "Mot de passe de {1} à {2}",
  "Signed in at {1} as {2}": "Session ouverte à {1} pour {2}",
  "Signed out at {1}": "Session fermée à {1}",
  "Stop the product at {1} first: it owns the data folder":
    "Arrêtez d'abord le produit à {1} : le dossier de données est à lui",
  "The product at {1} does not answer": "Le produit à {1} ne répond pas",
  "The product must be running to be called: start it first":
    "Le produit doit tourner pour être appelé : démarrez-le d'abord",
  "There is no terminal to ask on ({1}): give --user, and the password with --stdin":
    "Il n'y a pas de terminal où demander ({1}) : donnez --user, et le mot de passe avec --stdin",
  "User": "Utilisateur",
  "{1} answered {2}": "{1} a répondu {2}",
  "The product that runs at {1} uses its own rules ({2}): validate there (POST /api/validate), or stop it first":
    "Le produit à {1} applique ses propres règles ({2}) : validez là (POST /api/validate), ou arrêtez-le d'abord",
  "{1} is an invalid address for signing in: use https://, or http:// for this machine":
    "{1} n'est pas une adresse de connexion valide : utilisez https://, ou http:// pour cette machine",
  '{1} is not installed in the product at {2}: "rules install {3} --inactive" lets it be compared there':
    "{1} n'est pas installé dans le produit à {2} : « rules install {3} --inactive » permet de le comparer là",
  "{1} {2} is installed in the product that runs at {3}: stop it to export this version":
    "{1} {2} est installé dans le produit qui tourne à {3} : arrêtez-le pour exporter cette version",
  '{1}: sign in with "login {2}", or set PASSERELLE_TOKEN to an access token':
    "{1} : ouvrez une session avec « login {2} », ou donnez un jeton d'accès dans PASSERELLE_TOKEN",

  // Results
  "  ! {1} → {2} until {3} ({4}): {5}": "  ! {1} → {2} jusqu'au {3} ({4}) : {5}",
  "  {1}  {2} rules  since {3}  {4}  {5}": "  {1}  {2} règles  depuis {3}  {4}  {5}",
  " (inherits {1})": " (hérite de {1})",
  "; the password, shown once: {1}": " ; le mot de passe, montré une fois : {1}",
  "A new private key was written to {1}. Its public key, for SERVICE_LICENSE_PUBLIC_KEY:":
    "Une nouvelle clé privée est dans {1}. Sa clé publique, pour SERVICE_LICENSE_PUBLIC_KEY :",
  "{1}  already processed by run {2}: {3}": "{1}  déjà traité par le traitement {2} : {3}",
  "Nothing waits in the folder": "Rien n'attend dans le dossier",
  "The chain breaks at entry {1}": "La chaîne se rompt à l'entrée {1}",
  "The password of {1} was set{2}": "Le mot de passe de {1} est changé{2}",
  "The schema of {1} is at version {2}": "Le schéma de {1} est à la version {2}",
  "Tokens are signed with {1} from now on": "Les jetons sont désormais signés avec {1}",
  "active": "actif",
  "applied": "appliquée",
  "disabled": "désactivé",
  "ever": "toujours",
  "inactive": "inactive",
  "invoice {1}": "facture {1}",
  "judges": "juge",
  "no roles": "aucun rôle",
  "none": "aucun",
  "nothing": "rien",
  "roles: {1}": "rôles : {1}",
  "the chain breaks at record {1}": "la chaîne se rompt à l'enregistrement {1}",
  "the export is not whole": "l'export n'est pas entier",
  "undone": "défaite",
  "{1}  downloaded": "{1}  téléchargé",
  "{1}  members: {2}{3}: {4}": "{1}  membres : {2}{3} : {4}",
  "{1}  refused  {2}": "{1}  refusé  {2}",
  "{1} cannot be read: {2}": "{1} est illisible : {2}",
  "{1} documents": "{1} documents",
  "{1} documents, the first ones: there are more":
    "{1} documents, les premiers : il y en a d'autres",
  "{1} does not exist": "{1} n'existe pas",
  "{1} entries are whole": "{1} entrées sont intactes",
  "{1} has {2} bytes": "{1} a {2} octets",
  "{1} was created{2}": "{1} est créé{2}",
  "{1}: {2} records about {3} are whole; head {4}":
    "{1} : {2} enregistrements sur {3} sont intacts ; tête {4}",

  // Evidence
  "it does not follow the record before": "il ne suit pas l'enregistrement précédent",
  "it names a file and no digest": "il nomme un fichier et pas d'empreinte",
  "its file {1} is missing": "son fichier {1} manque",
  "its hash does not match its content": "son empreinte ne correspond pas à son contenu",
  "number {1} is missing, {2} stands in its place": "le numéro {1} manque, {2} est à sa place",
  "records are missing at the end": "il manque des enregistrements à la fin",
  "the chain does not end in {1}, but in {2}": "la chaîne ne finit pas par {1}, mais par {2}",
  "the file {1} belongs to no record": "le fichier {1} n'appartient à aucun enregistrement",
  "the file {1} was changed": "le fichier {1} a été modifié",
  "{1} is no JSON": "{1} n'est pas du JSON",
  "{1} is not one of ours": "{1} n'est pas des nôtres",

  // The sections of the settings as files
  "Changed: {1}": "Changé : {1}",
  "Nothing was changed": "Rien n'a été changé",
  "Sections: {1}, in order": "Sections : {1}, en ordre",
  "Sections: {1}; mistakes: {2}": "Sections : {1} ; erreurs : {2}",
  "Would change: {1}": "Changerait : {1}",
  "leads nowhere: {1}": "ne mène nulle part : {1}",
  "no longer there: {1}": "n'est plus là : {1}",
  "role {1}": "rôle {1}",
  "{1}: {2} is lost": "{1} : {2} est perdu",

  // The start of a process, and its environment
  "A worker needs DATABASE_URL and REDIS_URL":
    "Un processus de travail demande DATABASE_URL et REDIS_URL",
  "AI_BASE_URL needs AI_MODELS: the models callers may choose, separated by commas":
    "AI_BASE_URL demande AI_MODELS : les modèles que les appelants peuvent choisir, séparés par des virgules",
  "HOST={1} needs AUTH=on: without sign-in the product listens on this machine only":
    "HOST={1} demande AUTH=on : sans authentification, le produit n'écoute que cette machine",
  "OIDC_ISSUER and OIDC_CLIENT_ID go together": "OIDC_ISSUER et OIDC_CLIENT_ID vont ensemble",
  "OIDC_ISSUER needs PUBLIC_URL: the provider sends browsers back there":
    "OIDC_ISSUER demande PUBLIC_URL : le fournisseur y renvoie les navigateurs",
  "FILES={1} needs DATABASE_URL: the embedded product keeps files in its folder":
    "FILES={1} demande DATABASE_URL : le produit embarqué garde les fichiers dans son dossier",
  "An S3 bucket needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY":
    "Un bucket S3 demande AWS_ACCESS_KEY_ID et AWS_SECRET_ACCESS_KEY",
  "folder, database or s3://bucket/prefix is expected":
    "folder, database ou s3://bucket/préfixe est attendu",
  "The S3 bucket {1} cannot be used: {2}": "Le bucket S3 {1} ne peut pas être utilisé : {2}",
  "The file is in an S3 bucket, but FILES names no bucket":
    "Le fichier est dans un bucket S3, mais FILES n'en nomme aucun",
  "CONFIG_DIR={1} is inside DATA_DIR, where users with access to files could read the settings":
    "CONFIG_DIR={1} se trouve dans DATA_DIR : les utilisateurs qui ont accès aux fichiers pourraient lire les paramètres",
  "REDIS_URL needs DATABASE_URL: the embedded product has no fleet":
    "REDIS_URL demande DATABASE_URL : le produit embarqué n'a pas de flotte",
  "The configuration cannot be used:{1}": "La configuration est inutilisable :{1}",
  "The role web needs DATABASE_URL and REDIS_URL": "Le rôle web demande DATABASE_URL et REDIS_URL",
  "There is no role {1}; start or web": "Il n'existe pas de rôle {1} ; start ou web",
  "its name and password are percent-encoded, a % among them as %25":
    "le nom et le mot de passe y sont encodés en pourcents, un % s'y écrit %25",
  "a URL that begins with one of {1} is expected, without spaces and with / # ? @ : in its name or password percent-encoded":
    "une adresse qui commence par un de {1} est attendue, sans espaces, et où / # ? @ : du nom ou du mot de passe sont encodés en pourcents",
  "a number is expected": "un nombre est attendu",
  "at least {1}": "au moins {1}",
  "at least {1} characters are expected": "au moins {1} caractères sont attendus",
  "at most {1}": "au plus {1}",
  "at most {1} characters are expected": "au plus {1} caractères sont attendus",
  "hosts separated by commas are expected, each name or name:port":
    "des hôtes séparés par des virgules sont attendus, chacun nom ou nom:port",
  "it has not the form that is expected": "elle n'a pas la forme attendue",
  "{1} names the product's own database role; a pool needs a separate role":
    "{1} nomme le rôle de base de données du produit ; une base tierce demande un rôle distinct",
  "{1}: a URL that begins with postgres:// is expected":
    "{1} : une adresse qui commence par postgres:// est attendue",
  "{1}: one is expected": "{1} : une de ces valeurs est attendue",

  // The licence
  "It is not valid yet": "Elle n'est pas encore valable",
  "Its payload cannot be read: {1}": "Son contenu est illisible : {1}",
  "Its signature cannot be verified: {1}": "Sa signature ne peut pas être vérifiée : {1}",
  "Its type is not {1}": "Son type n'est pas {1}",
  "No public key is configured to verify it with":
    "Aucune clé publique n'est configurée pour la vérifier",
};
