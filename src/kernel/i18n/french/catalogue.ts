/** Sentences of the database part of the API and of its commands. */
export const CATALOGUE: Readonly<Record<string, string>> = {
  // Queries and pools
  "The body is empty: an object of names and values is expected":
    "Le corps de la requête est vide : un objet de noms et de valeurs est attendu",
  "The pool {1} is connected": "Le pool {1} est connecté",
  "The pool {1} is disconnected": "Le pool {1} est déconnecté",
  "The query cannot run on the pool {1}: {2}":
    "La requête ne peut pas s'exécuter sur le pool {1} : {2}",
  "The table of {1} takes no {2}": "La table de {1} n'accepte pas {2}",
  "Several connectors have a query {1}: name one of {2}":
    "Plusieurs connecteurs ont une requête {1} : nommez l'une de {2}",
  "There is no table {1} to audit": "Il n'y a pas de table {1} à auditer",
  "is no name of a user": "n'est pas un nom d'utilisateur",
  "nothing to change: give a column besides the key ({1})":
    "rien à modifier : indiquez une colonne en plus de la clé ({1})",
  "params: a list of objects is expected, not {1}":
    "params : une liste d'objets est attendue, pas {1}",
  "params: {1} is given twice": "params : {1} est donné deux fois",
  "there is no column {1} to write; did you mean {2}?":
    "il n'y a pas de colonne {1} à écrire ; vouliez-vous dire {2} ?",
  "there is no column {1} to write; there are {2}":
    "il n'y a pas de colonne {1} à écrire ; il y a {2}",
  "{1} is given twice": "{1} est donné deux fois",
  "{1} writes by itself: call /api/sql/…:write":
    "{1} écrit par elle-même : appelez /api/sql/…:write",
  "{1}: a row is known by its whole key ({2}), and no part of it is empty":
    "{1} : une ligne se désigne par toute sa clé ({2}), dont aucune partie n'est vide",
  "{1}: is no JSON: {2}": "{1} : n'est pas du JSON : {2}",

  // Setup, export, backups
  "A table is in use for too long; nothing was changed, try again":
    "Une table est utilisée trop longtemps ; rien n'a été modifié, réessayez",
  "A product works on the copy in that database already":
    "Un produit travaille déjà sur la copie dans cette base",
  "{1} exports are in progress, which is the maximum; try again later":
    "{1} exports sont en cours, ce qui est le maximum ; réessayez plus tard",
  "Many read the log already; try again": "Le journal est déjà lu par beaucoup ; réessayez",
  "The entries are being written already; try again":
    "Les entrées sont déjà en train d'être écrites ; réessayez",
  "An export or a change of the database is under way; try again":
    "Un export ou une modification de la base est en cours ; réessayez",
  "Copied and compared: {1} tables. The next start works on {2} on {3}:{4}":
    "Copié et comparé : {1} tables. Le prochain démarrage travaille sur {2} sur {3}:{4}",
  "Everything is in {1} on {2}:{3}; the next start works on it, and until then nothing is written":
    "Tout est dans {1} sur {2}:{3} ; le prochain démarrage y travaille, et d'ici là rien n'est écrit",
  "Its secrets were sealed by another SECRET_KEY: start with that one, or enter them again":
    "Ses secrets ont été scellés avec une autre SECRET_KEY : démarrez avec celle-là, ou saisissez-les à nouveau",
  "Migration {1} is not one of this version of the product, or another one there":
    "La migration {1} n'est pas de cette version du produit, ou y est une autre",
  "Restored and compared: tables {1}, rows {2}": "Restauré et comparé : tables {1}, lignes {2}",
  "Secrets in it are sealed: keep SECRET_KEY (or keys/secret.key), and the files of the data folder, apart from it":
    "Les secrets y sont scellés : gardez SECRET_KEY (ou keys/secret.key) et les fichiers du dossier de données à part",
  "The backup is cut off": "La sauvegarde est coupée",
  "There is nothing to back up: no database of the product is where DATABASE_URL or DATA_DIR lead":
    "Il n'y a rien à sauvegarder : aucune base du produit là où mènent DATABASE_URL ou DATA_DIR",
  "{1} is damaged or not a backup": "{1} est endommagé ou n'est pas une sauvegarde",
  "{1} cannot be written: {2}": "{1} ne peut pas être écrit : {2}",
  "The database {1} holds texts as {2}; it has to be made with UTF8":
    "La base {1} garde les textes en {2} ; elle doit être créée en UTF8",
  "The database {1} takes no writes: it is a copy for reading, or was set so":
    "La base {1} ne prend pas d'écritures : c'est une copie en lecture, ou elle a été réglée ainsi",
  "The user of this database may not change its tables, which somebody else made: let that one migrate, or give them to this one ({1})":
    "L'utilisateur de cette base ne peut pas en modifier les tables, créées par un autre : laissez celui-là migrer, ou donnez-les à celui-ci ({1})",
  "The user {1} may make no tables in {2}; it has to own this database":
    "L'utilisateur {1} ne peut pas créer de tables dans {2} ; il doit posséder cette base",
  "The backup is damaged: {1}": "La sauvegarde est abîmée : {1}",
  "The database is not empty; a backup is restored into an empty one":
    "La base n'est pas vide ; une sauvegarde se restaure dans une base vide",
  "The database is not empty; the product moves into an empty one":
    "La base n'est pas vide ; le produit déménage dans une base vide",
  "Somebody else is making or filling the tables of this database at the moment; try again":
    "Quelqu'un d'autre crée ou remplit les tables de cette base en ce moment ; réessayez",
  "Others hold tables of this database and did not let go of them; nothing was migrated. Stop all processes of the product and whatever else works on this database, then migrate again":
    "D'autres tiennent des tables de cette base et ne les ont pas rendues ; rien n'a été migré. Arrêtez tous les processus du produit et tout ce qui travaille sur cette base, puis migrez à nouveau",
  "Many stylesheets are being deleted already; try again":
    "Beaucoup de feuilles de style sont déjà en cours de suppression ; réessayez",
  "Many users are listing stylesheets already; try again":
    "Beaucoup d'utilisateurs listent déjà les feuilles de style ; réessayez",
  "Many stylesheets are being compiled already":
    "Beaucoup de feuilles de style sont déjà en cours de compilation",
  "The certificate of {1} is not trusted: set ssl.ca_file to the certificate file of its authority":
    "Le certificat de {1} n'est pas reconnu : indiquez dans ssl.ca_file le certificat de son autorité",
  "The server of {1} speaks no TLS; where the way to it is safe, ssl.mode disable does without":
    "Le serveur de {1} ne parle pas TLS ; là où le chemin est sûr, ssl.mode disable s'en passe",
  "The token {1} moves this installation to a PostgreSQL server, once, without a sign-in (POST /api/setup/install).":
    "Le jeton {1} déménage cette installation vers un serveur PostgreSQL, une fois, sans connexion (POST /api/setup/install).",
  "verify-ca needs ssl.ca_file": "verify-ca demande ssl.ca_file",
  "{1}/{2} {3}: {4} rows": "{1}/{2} {3} : {4} lignes",
  "{1}/{2} {3}: {4} rows so far": "{1}/{2} {3} : {4} lignes jusqu'ici",
  "The database {1} cannot be reached, or does not let this user in":
    "La base {1} ne peut pas être jointe, ou n'admet pas cet utilisateur",
  "The file {1} does not say where the database is": "Le fichier {1} ne dit pas où est la base",
  "The product runs on this data folder ({1}): stop it first":
    "Le produit tourne sur ce dossier de données ({1}) : arrêtez-le d'abord",
  "The product runs on this data folder: stop it, or call POST /api/setup/install":
    "Le produit tourne sur ce dossier de données : arrêtez-le, ou appelez POST /api/setup/install",
  "The product works on a server already": "Le produit travaille déjà sur un serveur",
  "The disk of {1} has {2} MB left, and the database needs {3}":
    "Il reste {2} Mo sur le disque de {1}, et la base de données en demande {3}",
  "The server of {1} is older than PostgreSQL 15":
    "Le serveur de {1} est plus ancien que PostgreSQL 15",
  "The table {1} came out differently: {2} rows ({3}), not {4} ({5})":
    "La table {1} est arrivée autrement : {2} lignes ({3}), et non {4} ({5})",
  "The table {1} has no column {2}": "La table {1} n'a pas de colonne {2}",
  "There is no table {1} in this schema": "Il n'y a pas de table {1} dans ce schéma",
  "There is no version {1} to go back to": "Il n'y a pas de version {1} à laquelle revenir",
  "This is no backup that this version reads ({1})":
    "Ce n'est pas une sauvegarde que cette version lit ({1})",
  "Version {1} has no audit to record this; only {2} goes back so far":
    "La version {1} n'a pas de journal d'audit pour l'enregistrer ; seul {2} revient si loin",
  "Version {1} has no place for {2}; by force (?force=true, --force) {3} such things are given up":
    "La version {1} n'a pas de place pour {2} ; de force (?force=true, --force), {3} telles choses sont abandonnées",
  "a version of up to four digits is expected":
    "une version d'au plus quatre chiffres est attendue",
  "shows whether invoices leave for the PA, or switches it; a restored copy starts off":
    "dit si les factures partent vers la PA, ou coupe et rétablit l'envoi ; une copie restaurée démarre coupée",
  "Sending is off: nothing leaves for the PA": "L'envoi est coupé : rien ne part vers la PA",
  "Sending is on": "L'envoi est actif",
  "SENDING=off is set here: remove it and start the processes again":
    "SENDING=off est défini ici : retirez-le et redémarrez les processus",
  "Sending is off in this copy: once it is to replace the original, run deno task -q cli sending on":
    "L'envoi est coupé dans cette copie : quand elle doit remplacer l'original, lancez deno task -q cli sending on",
  "A backup is under way; try again": "Une sauvegarde est en cours ; réessayez",
  "fills an empty database with a backup": "remplit une base vide avec une sauvegarde",
  "moves an embedded installation to a PostgreSQL server; the password is read from standard input":
    "déménage une installation embarquée vers un serveur PostgreSQL ; le mot de passe est lu sur l'entrée standard",
  "an absolute path is expected": "un chemin absolu est attendu",
  "the name or address of a host is expected": "le nom ou l'adresse d'un hôte est attendu",
  "writes the whole database into a file, secrets sealed":
    "écrit toute la base dans un fichier, secrets scellés",
  "{1}.{2}: {3} values": "{1}.{2} : {3} valeurs",
  "{1}: tables {2}, rows {3}": "{1} : tables {2}, lignes {3}",
  "{1}: {2} rows": "{1} : {2} lignes",

  // Secrets
  "stands in the query and in the body; one of them is expected":
    "est donné dans l'adresse et dans le corps ; un seul des deux est attendu",
  "is missing": "manque",
  "The product runs on this data folder: stop it, and start it with the new key afterwards":
    "Le produit tourne sur ce dossier de données : arrêtez-le, et démarrez-le ensuite avec la nouvelle clé",
  "SECRET_KEY_OLD is no longer needed": "SECRET_KEY_OLD n'est plus nécessaire",
  "SECRET_KEY_OLD is still needed for {1}: encrypt their values again (POST /api/fmw/encrypt)":
    "SECRET_KEY_OLD est encore nécessaire pour {1} : chiffrez à nouveau leurs valeurs (POST /api/fmw/encrypt)",
  "Sealed again: texts of sections {1}, templates {2}, webhooks {3}, signing keys {4}":
    "Scellés à nouveau : textes de sections {1}, modèles {2}, webhooks {3}, clés de signature {4}",
  "seals every stored secret by SECRET_KEY, and says whether SECRET_KEY_OLD is still needed":
    "scelle chaque secret conservé avec SECRET_KEY, et dit si SECRET_KEY_OLD est encore nécessaire",
  "{1} values; at most {2} are taken": "{1} valeurs ; au plus {2} sont acceptées",
};
