/** Sentences about external databases and the queries on them. */
export const DATABASES: Readonly<Record<string, string>> = {
  // Pools
  "The driver needs the package {1}: npm install {2}@{3}":
    "Le pilote a besoin du paquet {1} : npm install {2}@{3}",
  "The pool {1} is closed until somebody opens it: GET /api/db/open?target_pool={2}":
    "Le pool {1} est fermé jusqu'à ce que quelqu'un l'ouvre : GET /api/db/open?target_pool={2}",
  "The product's own database is not closed":
    "La base de données du produit lui-même ne se ferme pas",
  "the pool {1}": "la base {1}",
  "There is no pool named {1}": "Il n'y a pas de pool nommé {1}",
  "A referenced row is missing or would be deleted":
    "Une ligne référencée n'existe pas ou serait supprimée",
  "A value is missing that the database asks for":
    "Il manque une valeur que la base de données exige",
  "All connections of the database are in use":
    "Toutes les connexions à la base de données sont occupées",
  "The database refuses the statement ({1})": "La base de données refuse l'instruction ({1})",
  "The database {1} could not check {2}: {3}": "La base {1} n'a pas pu vérifier {2} : {3}",
  "it is not in force yet": "elle n'est pas encore en vigueur",
  "the time for the check is over": "le temps prévu pour la vérification est écoulé",
  "one check covers {1} queries": "une vérification porte au plus sur {1} requêtes",
  "it checks a writing query only by running it":
    "elle ne vérifie une requête d'écriture qu'en l'exécutant",
  "The file {1} holds no certificates": "Le fichier {1} ne contient pas de certificats",
  "{1} is a catalogue of the database, which no query reads":
    "{1} est un catalogue de la base de données, qu'aucune requête ne lit",
  "The query needs more than {1} MB of memory": "La requête demande plus de {1} Mo de mémoire",
  "The query would take too long and slow down the product":
    "La requête durerait trop longtemps et ralentirait le produit",
  "a quoted name cannot be called on the product's own database":
    "un nom entre guillemets ne peut pas être appelé sur la base du produit lui-même",
  "names are written without escapes": "les noms s'écrivent sans échappements",
  "nothing recursive runs on the product's own database":
    "rien de récursif ne s'exécute sur la base du produit lui-même",
  "{1} cannot be reached": "{1} ne peut pas être joint",
  "replace takes two constant texts on the product's own database, the second no longer than the first":
    "sur la base du produit, replace prend deux textes constants, le second pas plus long que le premier",
  "{1} would undo the read_role of the pool: give its reads a read_user":
    "{1} annulerait le read_role du pool : donnez un read_user à ses lectures",
  "{1} is not a function allowed on the product's own database":
    "{1} n'est pas une fonction autorisée sur la base du produit",
  "The file {1} is outside the folders that pools may use: the data folder and those of SQLITE_DIRS":
    "Le fichier {1} n'est dans aucun dossier permis aux pools : le dossier de données et ceux de SQLITE_DIRS",
  "The pool is for reading only": "Le pool est en lecture seule",
  "The database user of the pool has the privilege FILE and could read files of the server: revoke it, or use another user":
    "L'utilisateur de base de données du pool a le privilège FILE et pourrait lire des fichiers du serveur : révoquez-le, ou prenez un autre utilisateur",
  "The database is not in a state that allows this; try again later":
    "L'état de la base de données ne le permet pas ; réessayez plus tard",
  "The pool signs in as a superuser; it needs a separate role with few rights":
    "Le pool se connecte en superutilisateur ; il lui faut un rôle distinct, avec peu de droits",
  "The variable {1} defines the pool {2}: rename the variable":
    "La variable {1} définit le pool {2} : renommez la variable",
  "The pool {1} cannot be opened: {2}": "Le pool {1} ne peut pas être ouvert : {2}",
  "The pool {1} is the product's own database; take another name":
    "Le pool {1} est la base de données du produit lui-même ; prenez un autre nom",
  "The reading role of the database is missing":
    "Le rôle de lecture de la base de données n'existe pas",
  "the product may not create the role {1}: run the statement that deno task -q cli doctor prints, or set POOL_PASSERELLE_URL ({2})":
    "le produit n'a pas le droit de créer le rôle {1} : exécutez l'instruction qu'affiche deno task -q cli doctor, ou définissez POOL_PASSERELLE_URL ({2})",
  "The row is in use by another statement; try again":
    "La ligne est utilisée par une autre instruction ; réessayez",
  "Sections must not use the variable {1}: it is missing in CONFIG_VARIABLES":
    "Les sections ne peuvent pas utiliser la variable {1} : elle manque dans CONFIG_VARIABLES",
  "The variable {1} is not set": "La variable {1} n'est pas définie",
  "The values do not meet a condition of the database":
    "Les valeurs ne respectent pas une condition de la base de données",

  // Named queries
  "A value does not fit its column": "Une valeur ne convient pas à sa colonne",
  "Rows that would change: {1}; expected: at least {2}. Nothing was changed":
    "Lignes à modifier : {1} ; attendues : au moins {2}. Rien n'a été changé",
  "Rows that would change: {1}; expected: {2}. Nothing was changed":
    "Lignes à modifier : {1} ; attendues : {2}. Rien n'a été changé",
  "Rows that would change: {1}; expected: {2} to {3}. Nothing was changed":
    "Lignes à modifier : {1} ; attendues : {2} à {3}. Rien n'a été changé",
  "The pool {1} is for reading only": "Le pool {1} est en lecture seule",
  "The query {1} is under way {2} times; try again":
    "La requête {1} est en cours {2} fois ; réessayez",
  "Your account has no {1}, which decides what rows you see":
    "Votre compte n'a pas de {1}, qui décide des lignes que vous voyez",
  "a comment that is run as code": "un commentaire qui est exécuté comme du code",
  "a condition names a column": "une condition nomme une colonne",
  'a condition {"column": {"=": value}} is expected, not {1}':
    'une condition {"colonne": {"=": valeur}} est attendue, pas {1}',
  "after: cannot be combined with offset": "after : ne se combine pas avec offset",
  "after: is no place of this query in this order; take it from next":
    "after : n'est pas une place de cette requête dans ce tri ; prenez-la dans next",
  "after: not supported by the query; use offset":
    "after : la requête ne l'accepte pas ; utilisez offset",
  "at most {1} conditions": "au plus {1} conditions",
  "conditions stand in each other at most {1} times": "les conditions s'emboîtent au plus {1} fois",
  "count: one of {1} is expected, not {2}": "count : une valeur parmi {1} est attendue, pas {2}",
  "it writes, and a row_filter is for reads: write the condition into it":
    "elle écrit, et row_filter vaut pour les lectures : écrivez la condition dans la requête",
  "it writes, and its pool is for reading only": "elle écrit, et son pool est en lecture seule",
  "it writes, and max_cost is for reads": "elle écrit, et max_cost vaut pour les lectures",
  "max_cost is for PostgreSQL, and its pool is {1}":
    "max_cost est pour PostgreSQL, et son pool est {1}",
  "The query would cost {1} by the database's estimate, and {2} is allowed: ask for less":
    "La requête coûterait {1} d'après la base de données, et {2} est permis : demandez-en moins",
  "it writes itself, and a table belongs to a query that reads":
    "elle écrit elle-même, et table va avec une requête qui lit",
  "its table is written, and its pool is for reading only":
    "sa table s'écrit, et son pool est en lecture seule",
  "its table is written by key, past its row_filter: leave one of them out":
    "sa table s'écrit par sa clé, sans passer par son row_filter : laissez l'un des deux de côté",
  "its table is written by key, past what {1} takes from the caller: leave one of them out":
    "sa table s'écrit par sa clé, sans passer par ce que {1} prend de l'appelant : laissez l'un des deux de côté",
  "it writes, and results of writes are never cached":
    "elle écrit, et le résultat d'une écriture n'est jamais mis en cache",
  "one condition is expected": "une seule condition est attendue",
  "one statement is expected": "une seule instruction est attendue",
  "pages by keyset need a key": "des pages par clé (keyset) ont besoin d'une clé",
  "parameters are written :name": "les paramètres s'écrivent :nom",
  "q: is no JSON: {1}": "q : n'est pas du JSON : {1}",
  "q: {1}": "q : {1}",
  "query: the parameter {1} is not declared": "query : le paramètre {1} n'est pas déclaré",
  "query: {1}": "query : {1}",
  "sort: names of columns are expected, not {1}":
    "sort : des noms de colonnes sont attendus, pas {1}",
  "sort: the query lists no column to sort by":
    "sort : la requête n'indique aucune colonne pour trier",
  "sort: there is no column {1} to sort by; did you mean {2}?":
    "sort : il n'y a pas de colonne {1} pour trier ; vouliez-vous dire {2} ?",
  "sort: there is no column {1} to sort by; there are {2}":
    "sort : il n'y a pas de colonne {1} pour trier ; il y a {2}",
  "the brackets of optional clauses do not pair":
    "les crochets des clauses facultatives ne vont pas par paires",
  "the key {1} of its audit is no parameter of it":
    "la clé {1} de son audit n'est pas un de ses paramètres",
  "the parameter {1} is not declared": "le paramètre {1} n'est pas déclaré",
  "the query lists no column to filter by": "la requête n'indique aucune colonne pour filtrer",
  "the row_filter of {1}: {2}": "le row_filter de {1} : {2}",
  "there is no column {1} to filter by; did you mean {2}?":
    "il n'y a pas de colonne {1} pour filtrer ; vouliez-vous dire {2} ?",
  "there is no column {1} to filter by; there are {2}":
    "il n'y a pas de colonne {1} pour filtrer ; il y a {2}",
  "{1} has {2} queries under way; try again": "{1} a {2} requêtes en cours ; réessayez",
  "{1} is no value of the caller: write :claims.<name> or :user.<name>":
    "{1} n'est pas une valeur de l'appelant : écrivez :claims.<nom> ou :user.<nom>",
  "{1} optional clauses are too many; {2} are allowed":
    "{1} clauses facultatives sont de trop ; {2} sont admises",
  "{1} is no name of a host or a service": "{1} n'est pas un nom d'hôte ou de service",
  "{1} reads: call {2} without :write": "{1} lit : appelez {2} sans :write",
  "{1} takes a list of conditions": "{1} prend une liste de conditions",
  "{1} writes: call it by POST …:write": "{1} écrit : appelez-la par POST …:write",
  "{1} writes: call {2}:write": "{1} écrit : appelez {2}:write",
  "{1}: a list is expected": "{1} : une liste est attendue",
  "{1}: a text is expected, not {2}": "{1} : un texte est attendu, pas {2}",
  "{1}: a whole number from 0 on is expected, not {2}":
    "{1} : un nombre entier à partir de 0 est attendu, pas {2}",
  "{1}: an operator is expected": "{1} : un opérateur est attendu",
  '{1}: an operator is expected, such as {"=": {2}}':
    '{1} : un opérateur est attendu, tel que {"=": {2}}',
  "{1}: at most {2} values are expected": "{1} : au plus {2} valeurs sont attendues",
  "{1}: between takes two values": "{1} : between prend deux valeurs",
  "{1}: is_null takes true or false": "{1} : is_null prend true ou false",
  "{1}: use is_null to find null": "{1} : utilisez is_null pour trouver null",
  "{1}: there is no operator {2}; there are {3}": "{1} : il n'y a pas d'opérateur {2} ; il y a {3}",
};
