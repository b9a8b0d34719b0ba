/** French for the sentences about the sections of the configuration, their mistakes and their administration. */
export const SETTINGS: Readonly<Record<string, string>> = {
  "The stylesheet {1} is needed by the templates {2}; give them another one first":
    "La feuille de style {1} est nécessaire aux modèles {2} ; donnez-leur-en d'abord une autre",
  "The stylesheet {1} is no XML document: {2}":
    "La feuille de style {1} n'est pas un document XML : {2}",
  "The stylesheet {1} is no XML document: line {2}, column {3}: {4}":
    "La feuille de style {1} n'est pas un document XML : ligne {2}, colonne {3} : {4}",
  "{1} did not compile within {2} s: simplify it, or save it again later":
    "{1} ne s'est pas compilée en {2} s : simplifiez-la, ou enregistrez-la de nouveau plus tard",
  "{1} could not be compiled: {2}; save it again later":
    "{1} n'a pas pu être compilée : {2} ; enregistrez-la de nouveau plus tard",
  "The templates {1} use {2}: save it among the stylesheets, where it is compiled first":
    "Les modèles {1} utilisent {2} : enregistrez-la parmi les feuilles de style, où elle est d'abord compilée",
  "The invoice {1} was not made of an ERP document":
    "La facture {1} ne provient pas d'un document de l'ERP",
  "The trial took more than {1} s": "L'essai a duré plus de {1} s",
  "Many stylesheets are being tried already": "Beaucoup de feuilles de style sont déjà à l'essai",
  "{1}: is no stylesheet (.xsl, .xslt)": "{1} : n'est pas une feuille de style (.xsl, .xslt)",
  "*{1} contains itself": "*{1} se contient lui-même",
  "A key cannot be {1}": "Une clé ne peut pas être {1}",
  "connectors.{1}.network.allow_private has no effect: the operator lists hosts of private networks in the variable PRIVATE_HOSTS":
    "connectors.{1}.network.allow_private est sans effet : l'exploitant liste les hôtes de réseaux privés dans la variable PRIVATE_HOSTS",
  "no message of ICU MessageFormat: a brace without a name at line {1} col {2}; write '{' to show it":
    "pas un message ICU MessageFormat : une accolade sans nom à la ligne {1} col {2} ; écrivez '{' pour l'afficher",
  "no message of ICU MessageFormat: {{1}, {2}, …} has no case other":
    "pas un message ICU MessageFormat : {{1}, {2}, …} n'a pas de cas other",
  "A key is a plain text": "Une clé est un simple texte",
  "A screen with a dialog, a lock or a selection names the key of its records":
    "Un écran avec un dialogue, un verrou ou une sélection nomme la clé de ses enregistrements",
  "no JSONPath (RFC 9535): {1}": "pas un JSONPath (RFC 9535) : {1}",
  "{{1}} is not one of its parameters": "{{1}} ne fait pas partie de ses paramètres",
  "answers of GET alone are kept": "seules les réponses de GET sont conservées",
  "{1} gave no token: HTTP {2}": "{1} n'a pas donné de jeton : HTTP {2}",
  "{1} answered HTTP {2}": "{1} a répondu HTTP {2}",
  "{1} answered HTTP {2}: {3}": "{1} a répondu HTTP {2} : {3}",
  "All calls of {1} are used up for now": "Tous les appels de {1} sont épuisés pour l'instant",
  "origins such as https://erp.example are expected, separated by commas, or * alone":
    "des origines comme https://erp.example sont attendues, séparées par des virgules, ou * seul",
  "CORS_ORIGINS=* needs AUTH=on: every page of the web could use this product":
    "CORS_ORIGINS=* demande AUTH=on : toute page du web pourrait utiliser ce produit",
  "{1} is not called for now: it failed": "{1} n'est pas appelé pour l'instant : il a échoué",
  "{1} redirects more than {2} times": "{1} redirige plus de {2} fois",
  "{1} redirects to another host: {2}": "{1} redirige vers un autre hôte : {2}",
  "{1} may have an effect: it is called with write alone":
    "{1} peut avoir un effet : il n'est appelé qu'avec write",
  "The lookup {1} does not depend on {2}": "La liste de valeurs {1} ne dépend pas de {2}",
  "The query of the lookup {1} answers no column {2}":
    "La requête de la liste de valeurs {1} ne donne pas de colonne {2}",
  "is of a type nobody knows": "est d'un type inconnu",
  "the role {1}, by which a row_filter shows rows":
    "le rôle {1}, auquel un row_filter montre des lignes",
  "the values of {1}, by which queries choose rows":
    "les valeurs de {1}, selon lesquelles des requêtes choisissent les lignes",
  "an account without {1}, for which a query has a default":
    "un compte sans {1}, qu'une requête remplace par une valeur par défaut",
  "the change of the {1} {2}": "la modification ({1} {2})",
  "the check of queries that did not change": "la vérification des requêtes inchangées",
  "is no text": "n'est pas un texte",
  "holds characters that are no text": "contient des caractères qui ne sont pas du texte",
  "is no whole number": "n'est pas un nombre entier",
  "lies beyond 2^53, where numbers of JSON are rounded; give it as text":
    "dépasse 2^53, au-delà duquel les nombres JSON sont arrondis ; donnez-le en texte",
  "does not fit into 64 bits": "ne tient pas sur 64 bits",
  "is no number": "n'est pas un nombre",
  "is no decimal number such as 12.50": "n'est pas un nombre décimal tel que 12.50",
  "is neither true nor false": "n'est ni true ni false",
  "is no day such as 2026-11-20": "n'est pas un jour tel que 2026-11-20",
  "is no time such as 09:30": "n'est pas une heure telle que 09:30",
  "is no moment such as 2026-11-20T09:30:00Z": "n'est pas un instant tel que 2026-11-20T09:30:00Z",
  "is no UUID": "n'est pas un UUID",
  "is no Base64": "n'est pas du Base64",
  "is not one of {1}": "ne fait pas partie de {1}",
  "is less than {1}": "est inférieur à {1}",
  "is more than {1}": "est supérieur à {1}",
  "has more than {1} values": "compte plus de {1} valeurs",
  "has more than {1} characters": "compte plus de {1} caractères",
  "has less than {1} characters": "compte moins de {1} caractères",
  "does not match {1}": "ne correspond pas à {1}",
  "no pattern of RE2: {1}": "pas un motif RE2 : {1}",
  "a user has {1}, not {2}": "un utilisateur a {1}, pas {2}",
  "There is no parameter {1}": "Il n'y a pas de paramètre {1}",
  "There is no parameter {1}; did you mean {2}?":
    "Il n'y a pas de paramètre {1} ; vouliez-vous dire {2} ?",
  "{1} is not the caller's to give": "{1} n'est pas à donner par l'appelant",
  "Your account has no {1}, which {2} is taken from":
    "Votre compte n'a pas de {1}, d'où {2} est pris",
  "no message of ICU MessageFormat: {1}": "pas un message ICU MessageFormat : {1}",
  "the apostrophe in {1} would show the brace itself; write {2}, or ’ for it":
    "l'apostrophe dans {1} afficherait l'accolade elle-même ; écrivez {2}, ou ’ à sa place",
  "{1} is a message and the group of others": "{1} est un message et le groupe d'autres",
  "{1} is no permission code that a call asks for":
    "{1} n'est pas un code de droit qu'un appel demande",
  "No job can be called {1}, which is a path of the jobs themselves":
    "Aucun travail ne peut s'appeler {1}, qui est un chemin des travaux eux-mêmes",
  "References would lead nowhere: {1}, the first in {2}: {3}":
    "Des références ne mèneraient nulle part : {1}, la première dans {2} : {3}",
  "Stored; a reload is required before it is in force":
    "Enregistré ; un rechargement est nécessaire pour que cela s'applique",
  "Stored; a reload of all sections is required before it is in force: {1}":
    "Enregistré ; un rechargement de toutes les sections est nécessaire pour que cela s'applique : {1}",
  "The configuration cannot be used": "La configuration ne peut pas être utilisée",
  "The folder {1} cannot be read": "Le dossier {1} est illisible",
  "The key {1} stands here twice": "La clé {1} figure deux fois ici",
  "The panel ends beyond column {1}": "Le panneau dépasse la colonne {1}",
  "The panel overlaps panel {1}": "Le panneau chevauche le panneau {1}",
  "The section {1}": "La section {1}",
  "The section {1} has changes that are not in force: reload it before renaming":
    "La section {1} a des modifications qui ne s'appliquent pas encore : rechargez-la avant de renommer",
  "The section {1} has {2} characters; {3} are allowed":
    "La section {1} compte {2} caractères ; {3} sont admis",
  "The section {1} holds characters that are no text":
    "La section {1} contient des caractères qui ne sont pas du texte",
  "The text is nested deeper than {1}": "Le texte est imbriqué au-delà de {1} niveaux",
  "The text stands for more than {1} values": "Le texte représente plus de {1} valeurs",
  "There are two definitions: {1} {2}": "Il y a deux définitions : {1} {2}",
  "Roles still have codes of that name from a deleted definition, and would gain new permissions: {1}":
    "Des rôles ont encore des codes de ce nom, d'une définition supprimée, et gagneraient de nouveaux droits : {1}",
  "The file {1} holds no key: put back the one it held":
    "Le fichier {1} ne contient pas de clé : remettez celle qu'il contenait",
  "There is a {1} {2} already": "Existe déjà : {1} {2}",
  "There is no anchor {1} before this place": "Il n'y a pas d'ancre {1} avant cet endroit",
  "There is no key {1} here; did you mean {2}?":
    "Il n'y a pas de clé {1} ici ; vouliez-vous dire {2} ?",
  "There is no key {1} here; known are {2}": "Il n'y a pas de clé {1} ici ; sont connues {2}",
  "There is no section {1}": "Il n'existe pas de section {1}",
  "There is no {1} named {2}": "Introuvable : {1} {2}",
  "There is no {1} named {2}; did you mean {3}?": "Introuvable : {1} {2} ; vouliez-vous dire {3} ?",
  "This is no YAML: {1}": "Ce n'est pas du YAML : {1}",
  "This leads in a circle: {1}": "Cela tourne en rond : {1}",
  "{1} is longer than {2}": "{1} est plus long que {2}",
  "a duration with its unit: 500ms, 15s, 5m, 2h or 7d":
    "une durée avec son unité : 500ms, 15s, 5m, 2h ou 7d",
  "a language such as fr or pt-BR": "une langue telle que fr ou pt-BR",
  "a list": "une liste",
  "a map": "un objet",
  "a name: a letter, then at most 62 letters, digits, dots, dashes or underscores":
    "un nom : une lettre, puis au plus 62 lettres, chiffres, points, tirets ou soulignés",
  "a number": "un nombre",
  "dialog, or a path of the console that begins with one slash: {1}":
    "dialog, ou un chemin de la console qui commence par une seule barre oblique : {1}",
  "a path that begins with one slash: /orders":
    "un chemin qui commence par une seule barre oblique : /orders",
  "a size with its unit: 64KiB or 5MiB": "une taille avec son unité : 64KiB ou 5MiB",
  "a text": "un texte",
  "a text of the form {1}": "un texte de la forme {1}",
  "a type: {1}, or array<…> of one": "un type : {1}, ou array<…> de l'un d'eux",
  "a whole number": "un nombre entier",
  app: "application",
  characters: "caractères",
  chart: "graphique",
  column: "colonne",
  connector: "connecteur",
  dashboard: "tableau de bord",
  endpoint: "point d'accès",
  "exactly one of {1} is expected, not {2}": "exactement un de {1} est attendu, pas {2}",
  items: "éléments",
  job: "travail",
  label: "libellé",
  language: "langue",
  lookup: "liste de valeurs",
  "menu item": "élément de menu",
  pool: "pool",
  query: "requête",
  screen: "écran",
  "the name of a parameter: letters, digits and underscores":
    "le nom d'un paramètre : lettres, chiffres et soulignés",
  "the section": "la section",
  "true or false": "true ou false",
  "{1} are words of the call itself, not parameters":
    "{1} sont des mots de l'appel lui-même, pas des paramètres",
  "{1} cannot be read": "{1} est illisible",
  "{1} cannot be the new name of {2}: {3}<name> is expected, a letter and then letters, digits, dots, dashes or underscores":
    "{1} ne peut pas être le nouveau nom de {2} : {3}<nom> est attendu, une lettre puis des lettres, chiffres, points, tirets ou soulignés",
  "{1} is expected": "attendu : {1}",
  "{1} is missing": "{1} manque",
  "{1} is the pack of {2}, and says that it is of {3}":
    "{1} est le paquet de {2}, et se dit celui de {3}",
  "one of insert, update, delete must be true": "l'un de insert, update, delete doit être true",
  "an update needs columns other than the key":
    "une modification exige des colonnes autres que la clé",
  "the name of a table: orders, or app.orders with its schema":
    "le nom d'une table : orders, ou app.orders avec son schéma",
  "an empty value": "une valeur vide",
  "{1} stands here twice": "{1} figure deux fois ici",
  "{1} {2} stands here twice": "{1} {2} figure deux fois ici",
  "{1}: at least {2} {3}, not {4}": "{1} : au moins {2} {3}, pas {4}",
  "{1}: at most {2} {3}": "{1} : au plus {2} {3}",
  "{1}: its address is another one than before; enter it again":
    "{1} : son adresse n'est plus la même ; saisissez-le de nouveau",
  "{1}: there is no secret to keep; enter it":
    "{1} : il n'y a pas de secret à garder ; saisissez-le",
  "{1}: there is no {2}; did you mean {3}?": "{1} : {2} n'existe pas ; vouliez-vous dire {3} ?",
  "At least {1} other problems are not listed":
    "Au moins {1} autres problèmes ne sont pas affichés",
  "{1}: {2} (and {3} more)": "{1} : {2} (et {3} de plus)",
  "{1}: {2} is expected, not {3}": "{1} : attendu {2}, pas {3}",
  "{1}: {2} is not expected here": "{1} : {2} n'est pas attendu ici",
  "{1}: {2} is not known": "{1} : {2} n'est pas connu",
  // Sample data
  "Invoice {1} is sample data: it is never sent":
    "La facture {1} est une donnée d'exemple : elle n'est jamais envoyée",
  "Invoice {1}: the company code {2} is reserved for sample data":
    "Facture {1} : le code société {2} est réservé aux données d'exemple",
  "This installation has invoices already: sample data would mix with them":
    "Cette installation contient déjà des factures : les données d'exemple s'y mélangeraient",
};
